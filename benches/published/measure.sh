#!/bin/bash
# Measures the published steps of pair forces on a device, and prints their tables in Markdown.
#
# Usage: benches/published/measure.sh GLUSHKOV [RUNS] > tables.md
# What is measured, and why at these sizes: docs/published.md.
set -euo pipefail
glushkov=$1
runs=${2:-9}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# `bench` by the device's clock over many evaluations in a row, since a single one shows first use.
rounds=100
measure() {
  "$glushkov" bench "$@" --set "ROUNDS=$rounds" --target cuda --clock device --runs "$runs" --csv "$folder/rows.csv" \
    >"$folder/table" || {
    cat "$folder/table" >&2
    return 1
  }
}

# A column of the last measurement, by its name in the head of the file; no value of it holds a comma.
column() {
  awk -F, -v wanted="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == wanted) at = k; next } { print $at }' \
    "$folder/rows.csv"
}

# Microseconds an evaluation.
median_of_row() {
  column median_s | sed -n "${1}p" | awk -v rounds="$rounds" '{ printf "%.1f", $1 * 1e6 / rounds }'
}

# Rows of a strategy without each published step, at one size.
ablated() {
  local strategy=$1 n=$2
  echo; echo "\`$strategy\`, N = $n"; echo
  echo "| without | µs | times the whole |"; echo "|---|---|---|"
  measure coulomb --strategy "$strategy" --set "N=$n" --ablate=@published_steps
  paste -d, <(column without) <(column median_s) | awk -F, -v rounds="$rounds" '
    NR == 1 { whole = $2 }
    { printf "| %s | %.1f | %.2f |\n", $1 == "" ? "nothing" : "`" $1 "`", $2 * 1e6 / rounds, $2 / whole }'
  # What gave no times says why.
  awk -F'|' '/no effect|error|E[0-9]{4}/ { gsub(/ +/, " "); print "| `" $4 "` |" $(NF - 1) "| - |" }' "$folder/table" |
    sed 's/` \([a-z_]*\) `/`\1`/'
}

echo "## Without each step"
for n in 6144 49152; do
  ablated published "$n"
  ablated gpu_fast "$n"
done

echo; echo "## Newton's third law"; echo
echo "| N | 1, two matrices | 2, one matrix | 3, shared memory | 4, rotated | 5, half circle | met twice |"; echo "|---|---|---|---|---|---|---|"
for n in 324 768 1500 2592 6144 12000 20736 49152; do
  cells=()
  for version in 1 2 3 4 5; do
    # A vector takes 12 bytes or 16: two matrices of 49,152 squared need not fit.
    if [ "$version" -le 2 ] && [ "$n" -gt 20736 ]; then
      cells+=("-")
      continue
    fi
    if measure coulomb --strategy third_law --with "version=$version" --set "N=$n"; then
      cells+=("$(median_of_row 1)")
    else
      cells+=("-")
    fi
  done
  measure coulomb --strategy published --set "N=$n"
  cells+=("$(median_of_row 1)")
  echo "| $n | ${cells[0]} | ${cells[1]} | ${cells[2]} | ${cells[3]} | ${cells[4]} | ${cells[5]} |"
done

echo; echo "## A cut-off"; echo
echo "| N | without, µs | within 1 nm, µs | within 0.5 nm, µs |"; echo "|---|---|---|---|"
for n in 6144 49152; do
  measure coulomb --strategy gpu_fast --set "N=$n"; all=$(median_of_row 1)
  measure cutoff --strategy gpu_fast --set "N=$n" --set radius=1.0; one=$(median_of_row 1)
  measure cutoff --strategy gpu_fast --set "N=$n" --set radius=0.5; half=$(median_of_row 1)
  echo "| $n | $all | $one | $half |"
done

echo; echo "## Gravity, step by step"; echo
echo "| step | N = 16384, µs | N = 65536, µs |"; echo "|---|---|---|"
step() {
  local name=$1 cells=()
  shift
  for n in 16384 65536; do
    measure gravity --strategy published --set "N=$n" "$@"
    cells+=("$(median_of_row 1)")
  done
  echo "| $name | ${cells[0]} | ${cells[1]} |"
}
plain="shared_chunks,source_blocks,packed_records,unrolling,several_targets,fast_roots_and_powers,fused_products"
step "naive" --without "$plain"
step "shared tiles" --without "${plain#shared_chunks,}"
step "unrolled" --without "source_blocks,packed_records,several_targets,fast_roots_and_powers,fused_products"
step "fused sums and reciprocal roots" --without "source_blocks,packed_records,several_targets"
step "blocks of sources" --without "packed_records,several_targets"
step "four targets a thread" --with targets=4
