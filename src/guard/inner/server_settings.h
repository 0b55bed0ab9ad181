// The settings under which an inner query is planned and run: the server's, not the session's.
//
// Whoever asks may set what the planner thinks of costs and how much memory a sort may take. For a role without SELECT
// none of that reaches the inner query: a plan that somebody can bend is a tool for finding out what it reads. Settings
// that carry meaning (TimeZone, DateStyle, ...) are left alone; whatever depends on them is computed before the inner
// query starts.
//
// The server's value is the one from its configuration, or from ALTER DATABASE; PostgreSQL's default where the
// session's own start (ALTER ROLE, connection options) hides it.
#pragma once

namespace dp::guard {

// While it lives the server's values hold, if `watched`. For every role, and whatever the server says, nothing may move
// the final functions of an inner query into a parallel worker, as partition-wise aggregation and force_parallel_mode
// would, and no index may leave rows out at random, as GIN does beyond gin_fuzzy_search_limit. Errors of PostgreSQL
// must not jump over it.
class ServerSettings {
 public:
  explicit ServerSettings(bool watched);
  ~ServerSettings();
  ServerSettings(const ServerSettings&) = delete;
  ServerSettings& operator=(const ServerSettings&) = delete;

 private:
  static constexpr int kMost = 64;
  union Value {
    bool truth;
    int number;
    double real;
  };
  bool partitionwise_;
  int forced_;
  int fuzzy_;
  int changed_ = 0;       // how many settings stand at another value than the session's
  int numbers_[kMost];    // which ones
  Value session_[kMost];  // and the session's values of them
};

}  // namespace dp::guard
