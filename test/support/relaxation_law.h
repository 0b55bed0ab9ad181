// The laws of one step on a noise path, in 50-digit arithmetic and written from their definitions, not from src/.
#pragma once

#include <cstdint>

#include "support/laws.h"

namespace dp::test {

// W of V_1 = V_2 + W: an atom at zero and the discrete Laplace of the coarse rate.
class CoarseningLaw : public Symmetric<CoarseningLaw> {
 public:
  CoarseningLaw(const Real& coarse, const Real& fine)
      : laplace_(coarse), atom_(exp(coarse - fine) * pow(expm1(-coarse) / expm1(-fine), 2)) {}

  Real atom() const { return atom_; }
  Real mass(std::int64_t x) const { return (x == 0 ? atom_ : Real(0)) + (1 - atom_) * laplace_.mass(x); }
  Real upper(std::int64_t x) const { return (1 - atom_) * laplace_.upper(x); }

 private:
  LaplaceLaw laplace_;
  Real atom_;
};

// V_1 given V_2 = fine_noise.
struct TightenedLaw {
  CoarseningLaw coarsening;
  std::int64_t fine_noise;

  Real mass(std::int64_t x) const { return coarsening.mass(x - fine_noise); }
};

// V_2 given V_1 = coarse_noise, by Bayes' rule.
class RelaxedLaw {
 public:
  RelaxedLaw(const Real& coarse, const Real& fine, std::int64_t coarse_noise)
      : coarse_(coarse), fine_(fine), coarsening_(coarse, fine), coarse_noise_(coarse_noise) {}

  Real mass(std::int64_t x) const {
    return fine_.mass(x) * coarsening_.mass(coarse_noise_ - x) / coarse_.mass(coarse_noise_);
  }

 private:
  LaplaceLaw coarse_;
  LaplaceLaw fine_;
  CoarseningLaw coarsening_;
  std::int64_t coarse_noise_;
};

// The same law by the four branches of docs/internals/samplers.md, which can be summed: with s the sign of V_1, k = s
// V_2 stays at n = |V_1|, or lies in 0..n, or across zero, or beyond n.
class RelaxationBranches {
 public:
  RelaxationBranches(const Real& coarse, const Real& fine, std::int64_t coarse_noise)
      : negative_(coarse_noise < 0),
        n_(negative_ ? -coarse_noise : coarse_noise),
        r_(exp(coarse - fine)),
        q_(exp(-coarse - fine)),
        one_less_r_(-expm1(coarse - fine)),
        one_less_q_(-expm1(-coarse - fine)),
        total_(-expm1(-2 * fine)),
        stay_(-expm1(-2 * coarse) * pow(r_, n_ + 1) / total_) {}

  Real stay() const { return stay_; }
  Real within() const { return one_less_q_ * (1 - pow(r_, n_ + 1)) / total_; }
  Real across() const { return one_less_r_ * q_ / total_; }
  Real beyond() const { return one_less_r_ * q_ * pow(r_, n_) / total_; }

  Real mean() const {
    const Real steps = r_ * (1 - pow(r_, n_)) / one_less_r_ - n_ * pow(r_, n_ + 1);
    const Real k =
        n_ * stay() + one_less_q_ * steps / total_ - across() / one_less_q_ + beyond() * (n_ + 1 / one_less_q_);
    return negative_ ? Real(-k) : k;
  }

  Real mass(std::int64_t x) const {
    const std::int64_t k = negative_ ? -x : x;
    if (k < 0) return one_less_r_ * one_less_q_ * pow(q_, -k) / total_;
    if (k > n_) return one_less_r_ * one_less_q_ * pow(r_, n_) * pow(q_, k - n_) / total_;
    return (k == n_ ? stay_ : Real(0)) + one_less_q_ * one_less_r_ * pow(r_, k) / total_;
  }

  Real below(std::int64_t x) const { return negative_ ? Real(1 - k_below(1 - x)) : k_below(x); }

 private:
  Real k_below(std::int64_t k) const {
    if (k <= 0) return across() * pow(q_, -k);
    if (k > n_) return 1 - beyond() * pow(q_, k - n_ - 1);
    return across() + one_less_q_ * (1 - pow(r_, k)) / total_;
  }

  bool negative_;
  std::int64_t n_;
  Real r_;
  Real q_;
  Real one_less_r_;
  Real one_less_q_;
  Real total_;
  Real stay_;
};

}  // namespace dp::test
