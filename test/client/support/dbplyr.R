# What an analyst types at R, as the role in PG_DP_ROLE and as the superuser; prints a line for each comparison, stops at a difference.
suppressPackageStartupMessages({library(DBI); library(dplyr)})
connect <- function(role) {
  dbConnect(RPostgreSQL::PostgreSQL(), host = Sys.getenv("PGHOST"), port = as.integer(Sys.getenv("PGPORT")),
            dbname = Sys.getenv("PGDATABASE"), user = role)
}
ana <- connect(Sys.getenv("PG_DP_ROLE"))
root <- connect(Sys.getenv("PGUSER"))

# A group without rows is shown by the private answer alone: the others must be the same, to four digits after the point.
same <- function(what, question) {
  found <- as.data.frame(question(ana))
  wanted <- as.data.frame(question(root))
  found <- found[found$n > 0, , drop = FALSE]
  rownames(found) <- NULL
  stopifnot(nrow(wanted) > 0)
  difference <- all.equal(found, wanted, tolerance = 1e-6, check.attributes = FALSE)
  if (!isTRUE(difference)) stop(what, ": ", paste(difference, collapse = "; "))
  cat(what, ": ", nrow(found), " rows as the superuser is shown\n", sep = "")
}

same("group_by and summarise", function(con) {
  tbl(con, "visits") |> group_by(ward) |> summarise(n = n(), m = mean(age, na.rm = TRUE)) |> arrange(ward) |> collect()
})
same("filter", function(con) {
  tbl(con, "visits") |> filter(age >= 18, ward %in% c("oncology", "surgery", "cardiology")) |> group_by(ward) |>
    summarise(n = n(), cost = sum(cost, na.rm = TRUE)) |> arrange(desc(n), ward) |> collect()
})
same("count", function(con) tbl(con, "visits") |> count(ward) |> arrange(ward) |> collect())
same("mutate", function(con) {
  tbl(con, "visits") |> mutate(decade = floor(age / 10) * 10) |> count(decade) |> filter(!is.na(decade)) |> arrange(decade) |> collect()
})
same("if_else", function(con) {
  tbl(con, "visits") |> mutate(old = if_else(age >= 65, "old", "young")) |> filter(!is.na(age)) |> count(old) |> arrange(old) |> collect()
})

# As it is written most often, without na.rm: dbplyr warns, and means the same.
print(suppressWarnings(tbl(ana, "visits") |> group_by(ward) |> summarise(n = n(), m = mean(age)) |> collect()))
cat(colnames(tbl(ana, "visits")), sep = " ")
cat("\n")

# Rows are refused: head() and collect() of the table itself.
refused <- tryCatch({ tbl(ana, "visits") |> head(3) |> collect(); "answered" }, error = conditionMessage)
if (!grepl("SELECT count(*) FROM visits", refused, fixed = TRUE)) stop("rows: ", refused)
invisible(dbDisconnect(ana)); invisible(dbDisconnect(root))
