#!/bin/sh
# Answers `even(n)` and `next(n, $x)`, and notes what it is told.
echo '{"answers": ["even/1", "next/2", "silent/1", "wrong/1"], "acts": ["note/1"]}'
while read -r line; do
    case $line in
    *'even(4)'*) echo '{"answer": true}' ;;
    *'even(5)'*) echo '{"answer": false}' ;;
    *even*) echo '{"answer": null}' ;;
    *next*) echo '{"facts": ["next(1, 7)", "next(1, 4)"]}' ;;
    *silent*) exit 0 ;;
    *wrong*) echo 'yes' ;;
    *note*) echo "$line" >>"$NOTES"; echo '{"done": true}' ;;
    esac
done
