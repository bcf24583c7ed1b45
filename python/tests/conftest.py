"""Schemes that several tests compile: each is built once."""

import glushkov
import pytest

CHAIN = '''
SCHEME "Spring chain" ====
DATA
  N : INTEGER := 4
  STEPS : INTEGER := 2
  dt : REAL64 := 0.5
  step : REAL64 := dt / 2
  late : BOOLEAN := FALSE
  weights : REAL64 [2] INPUT := [1, 0.25]
  m : INTEGER64 [N] INPUT
  shift : VECTOR2 INPUT
  x : REAL64 [N] INPUT OUTPUT
  at : VECTOR2 [N] OUTPUT
  total : REAL64 OUTPUT
END OF DATA
  FOR (t FROM 0 TO STEPS - 1) LOOP
    FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] + step * weights[0] * m[i] END OF LOOP;
    total := 0;
    FOR (i FROM 0 TO N - 1) LOOP total := total + x[i] END OF LOOP;
    REPORT "the total" (t, total);
    SAVE "x" (x);
    FILTER total < 1000
  END OF LOOP;
  IF late THEN total := x[m[0]] END IF;
  FOR (i FROM 0 TO N - 1) LOOP at[i] := vector(i, i + 1) + shift END OF LOOP
END OF SCHEME "Spring chain"
'''

EDGES = '''
SCHEME "Means of neighbours" ====
DATA
  N : INTEGER := 3
  M : INTEGER := 2
  edge : REAL [2 * N + 1] INPUT
  grid : REAL [N, M] INPUT
  keep : BOOLEAN [N] INPUT
  mean : REAL [N, M] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    FOR (j FROM 0 TO M - 1) LOOP
      mean[i, j] := 0;
      IF keep[i] THEN mean[i, j] := grid[i, j] + edge[2 * i] - edge[2 * i + 2] END IF
    END OF LOOP
  END OF LOOP
END OF SCHEME "Means of neighbours"
'''

ROUNDS = '''
SCHEME "Long" ====
DATA
  N : INTEGER := 200000
  ROUNDS : INTEGER := 2000000
  x : REAL64 [N] INPUT OUTPUT
END OF DATA
  FOR (k FROM 0 TO ROUNDS - 1) LOOP
    FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] * 0.5 + 1 END OF LOOP
  END OF LOOP
END OF SCHEME "Long"
'''


@pytest.fixture(scope="session")
def gravity():
    return glushkov.compile("gravity", strategy="cpu-fast")


@pytest.fixture(scope="session")
def chain():
    return glushkov.compile(CHAIN)


@pytest.fixture(scope="session")
def edges():
    return glushkov.compile(EDGES)


@pytest.fixture(scope="session")
def long():
    return glushkov.compile(ROUNDS)
