/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * chisq.h - the chi-squared and Poisson distributions, by the incomplete gamma function
 *
 * Relative errors are below 1e-10 where results are above 1e-300 and a is below 1e5.
 */
#ifndef BENCH_CHISQ_H
#define BENCH_CHISQ_H

/* P(a, x) and Q(a, x) = 1 - P: the regularised incomplete gamma functions, a > 0, x >= 0. */
double gamma_p(double a, double x);
double gamma_q(double a, double x);

/* The chance that chi-squared with @df degrees of freedom is @x or more; NaN without any. */
double chisq_p(double x, double df);

/* Of X Poisson with mean @lambda > 0: the chance that X = k; that X > k. */
double poisson_is(unsigned k, double lambda);
double poisson_above(unsigned k, double lambda);

#endif
