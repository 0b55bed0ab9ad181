# The extension: its module, its SQL, its tests in a running server. The pure core also builds by CMakeLists.txt.
#
#   make [PG_CONFIG=...]                 builds it, here or in any other folder (make -f .../Makefile)
#   make install [DESTDIR=...]
#   make installcheck                    its tests in the running server that PGHOST, PGPORT and PGUSER name, with the extension
#                                        installed and shared_preload_libraries = 'pg_dp'. tools/check needs no such server.
EXTENSION = pg_dp

# Where this file lies, with a slash at its end. Names of files below are relative to it, as PGXS wants them: make finds them
# there from whichever folder it builds in.
HERE := $(dir $(lastword $(MAKEFILE_LIST)))
here = $(patsubst $(HERE)%,%,$(sort $(wildcard $(addprefix $(HERE),$(1)))))

EXTENSION_VERSION = $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(HERE)pg_dp.control)
INSTALL_SQL = $(call here,sql/install/*.sql)

MODULE_big = pg_dp
SOURCES = $(call here,src/*.cpp src/*/*.cpp src/*/*/*.cpp src/*/*/*/*.cpp)
OBJS = $(SOURCES:.cpp=.o)
DATA_built = pg_dp--$(EXTENSION_VERSION).sql
DATA = $(call here,sql/upgrade/*.sql)
EXTRA_CLEAN = $(SOURCES:.cpp=.d) $(foreach folder,core/number pg,src/$(folder)/precompiled.h.gch src/$(folder)/precompiled.h.d) pg_dp--*.sql

# Files in sql/ are inputs of pg_regress; each is in one of the schedules, and none is run beside these. (PGXS asks only whether
# REGRESS has a value, of which the name of an empty variable is one.)
REGRESS = $(NOT_IN_A_SCHEDULE)
REGRESS_OPTS = --encoding=UTF8 --no-locale --schedule=$(HERE)test/schedule --schedule=$(HERE)test/schedule_slow
REGRESS_PREP = server-is-ready
ISOLATION = $(basename $(notdir $(call here,test/isolation/specs/*.spec)))
ISOLATION_OPTS = --inputdir=$(HERE)test/isolation

# -fno-math-errno: rounding becomes one instruction; nothing here reads errno after a mathematical function.
PG_CPPFLAGS = -I$(HERE)src
PG_CXXFLAGS = -std=gnu++20 -Wextra -Wno-register -Wno-volatile -Wno-cast-function-type -Wno-unused-parameter -fvisibility=hidden -fno-math-errno -MMD -MP $(COPT)
SHLIB_LINK += -lstdc++

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
override with_llvm = no
include $(PGXS)

# By absolute names, because by others make would take the folders of the sources for these where it builds elsewhere.
FOLDERS = $(addprefix $(CURDIR)/,$(sort $(dir $(OBJS))))
$(OBJS): | $(FOLDERS)
$(FOLDERS):
	$(MKDIR_P) $@

# PRECOMPILE=1 compiles once what takes longer to read than most sources do: PostgreSQL's headers, and what the core includes. Without
# it ccache does better.
ifdef PRECOMPILE
PRECOMPILED = src/core/number/precompiled.h.gch src/pg/precompiled.h.gch
OF_THE_CORE = $(filter src/core/%,$(OBJS))
WITH_HEADERS = $(filter-out src/core/%,$(OBJS))
$(PRECOMPILED): %.gch: $(HERE)% | $(FOLDERS)
	$(COMPILE.cc) -x c++-header -MT $@ -o $@ $<
$(OF_THE_CORE): src/core/number/precompiled.h.gch
$(OF_THE_CORE): private override CXXFLAGS += -include src/core/number/precompiled.h
$(WITH_HEADERS): src/pg/precompiled.h.gch
$(WITH_HEADERS): private override CXXFLAGS += -include src/pg/precompiled.h
-include $(PRECOMPILED:.gch=.d)
endif

pg_dp--$(EXTENSION_VERSION).sql: $(INSTALL_SQL) pg_dp.control
	{ printf '%s\n' '\echo Use "CREATE EXTENSION pg_dp" to load this file. \quit'; cat $(filter %.sql,$^); } > $@

# The objects of the pure core alone, for its tests (CMakeLists.txt, PG_DP_OBJECTS).
.PHONY: core
core: $(filter src/core/%,$(OBJS))

.PHONY: server-is-ready
server-is-ready:
	@PG_BIN='$(bindir)' bash $(HERE)tools/lib/server_is_ready.sh

-include $(SOURCES:.cpp=.d)

# The pages for a browser: tools/site says what it needs.
.PHONY: site
site:
	@bash $(HERE)tools/site
