"""Validates values against a JSON Schema with an independent validator (python3-jsonschema).

validate.py SCHEMA CASES: each line of CASES is {"schema": SUBSCHEMA, "value": VALUE, "valid": BOOL}, where SUBSCHEMA refers
to the definitions of SCHEMA. Prints the numbers of the lines that come out otherwise, and why.
"""

import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
Draft202012Validator.check_schema(document)
validators = {}
count = 0
with open(sys.argv[2], encoding="utf-8") as file:
    for number, line in enumerate(file):
        case = json.loads(line)
        key = json.dumps(case["schema"], sort_keys=True)
        if key not in validators:
            schema = {**case["schema"], "$defs": document["$defs"]}
            validators[key] = Draft202012Validator(schema)
        error = next(validators[key].iter_errors(case["value"]), None)
        if (error is None) != case["valid"]:
            print(f"{number}: {error.message if error else 'valid'}")
        count += 1
print(f"{count} values")
