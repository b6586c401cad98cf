/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/chisq.h"

#include <float.h>
#include <math.h>

/* x^a e^-x / gamma(a): the factor of both expansions. */
static double gamma_front(double a, double x)
{
	return exp(a * log(x) - x - lgamma(a));
}

/* The power series of P (DLMF 8.11.4); all terms are positive. */
static double series_p(double a, double x)
{
	double term = 1 / a, sum = term;

	for (double n = a + 1; term > sum * DBL_EPSILON; n++)
		sum += term *= x / n;
	return gamma_front(a, x) * sum;
}

/*
 * The continued fraction of Q (DLMF 8.9.2, its even part),
 *	1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))),
 * by the recurrence of its numerators and denominators, as ratios of neighbours.
 */
static double fraction_q(double a, double x)
{
	double b = x + 1 - a, c = INFINITY, d = 1 / b, f = d, step = 0;

	for (int i = 1; fabs(step - 1) > 2 * DBL_EPSILON; i++) {
		double t = -i * (i - a);

		b += 2;
		d = 1 / (b + t * d);
		c = b + t / c;
		f *= step = c * d;
	}
	return gamma_front(a, x) * f;
}

double gamma_p(double a, double x)
{
	if (x <= 0)
		return 0;
	return x < a + 1 ? series_p(a, x) : 1 - fraction_q(a, x);
}

double gamma_q(double a, double x)
{
	if (x <= 0)
		return 1;
	return x < a + 1 ? 1 - series_p(a, x) : fraction_q(a, x);
}

double chisq_p(double x, double df)
{
	return df > 0 ? gamma_q(df / 2, x / 2) : NAN;
}

double poisson_is(unsigned k, double lambda)
{
	return exp(k * log(lambda) - lambda - lgamma(k + 1.0));
}

double poisson_above(unsigned k, double lambda)
{
	return gamma_p(k + 1.0, lambda);
}
