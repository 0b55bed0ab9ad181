// What most files of the core include: a build that precompiles headers reads these once (Makefile, CMakeLists.txt).
// Each file still includes what it uses, for builds that do not.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>
