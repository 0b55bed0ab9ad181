# The extension: its module, its SQL, its tests in a running server. The pure core also builds by CMakeLists.txt.
EXTENSION = pg_dp
EXTENSION_VERSION = $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" extension.control)
INSTALL_SQL = $(sort $(wildcard sql/install/*.sql))

MODULE_big = pg_dp
SOURCES = $(wildcard src/*.cpp src/*/*.cpp src/*/*/*.cpp)
OBJS = $(SOURCES:.cpp=.o)
DATA_built = pg_dp.control pg_dp--$(EXTENSION_VERSION).sql
DATA = $(wildcard sql/upgrade/*.sql)
EXTRA_CLEAN = $(SOURCES:.cpp=.d) pg_dp.control pg_dp--*.sql

# Files in sql/ are inputs of pg_regress; 00_* come first because they create what the others use.
REGRESS = $(sort $(basename $(notdir $(wildcard sql/*.sql))))
REGRESS_OPTS = --temp-config=test/postgresql.conf
ISOLATION = $(sort $(basename $(notdir $(wildcard test/isolation/specs/*.spec))))

# -fno-math-errno: rounding becomes one instruction; nothing here reads errno after a mathematical function.
PG_CPPFLAGS = -Isrc
PG_CXXFLAGS = -std=gnu++20 -Wextra -Wno-register -Wno-volatile -Wno-cast-function-type -Wno-unused-parameter -fvisibility=hidden -fno-math-errno -MMD -MP $(COPT)
SHLIB_LINK += -lstdc++

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
override with_llvm = no
include $(PGXS)

pg_dp.control: extension.control
	cp $< $@

pg_dp--$(EXTENSION_VERSION).sql: $(INSTALL_SQL) extension.control
	{ printf '%s\n' '\echo Use "CREATE EXTENSION pg_dp" to load this file. \quit'; cat $(INSTALL_SQL); } > $@

-include $(SOURCES:.cpp=.d)
