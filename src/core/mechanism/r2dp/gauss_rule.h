// Gauss quadrature for laws that have no table: few atoms that stand for a law with a density.
#pragma once

#include <vector>

#include "core/mechanism/r2dp/mixture.h"

namespace dp::mechanism {

// The three-term recurrence of a law's orthogonal polynomials:
// p_{j+1}(x) = (x - centre[j]) p_j(x) - spread[j] p_{j-1}(x), spread[0] unused.
struct Recurrence {
  std::vector<double> centre;
  std::vector<double> spread;
};

// Of a law on finitely many points, weights of any total, by Lanczos' procedure with every vector made orthogonal to
// all before it; at most `count` steps, fewer where so many points are not told apart by doubles.
Recurrence recurrence_of(const Mixture& points, std::size_t count);

// The atoms that integrate every polynomial of degree below 2n exactly, n the length of the recurrence.
// Source: Golub, Welsch, "Calculation of Gauss Quadrature Rules" (1969): the rates are the eigenvalues of the Jacobi
// matrix, here found by counting signs (Sturm) and bisection; the weights the squared first entries of its
// eigenvectors.
Mixture gauss_rule(const Recurrence& recurrence);

}  // namespace dp::mechanism
