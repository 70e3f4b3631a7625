#!/usr/bin/env python3
"""Judges JSON texts by a JSON Schema of draft-07.

usage: validate.py SCHEMA < REQUESTS > ANSWERS

Each line of the requests is one JSON object: {"name": ..., "file": PATH} or {"name": ...,
"text": TEXT}, with "errors": true where every error is wanted, not only whether there is one.
Each line of the answers is one JSON object: {"name": ..., "verdict": "accepted" | "rejected" |
"not-json", "errors": [{"pointer": ..., "message": ...}]}.
The first answer is about the schema itself, as a draft-07 schema; its name is "schema".
"""

import json
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
import jsonschema  # noqa: E402


def prepared(part, whole, known):
    """A part of the schema with its references followed, which makes judging several times faster.

    In patterns, $ becomes the end of the text as ECMA 262 has it, which Python writes otherwise.
    """
    if isinstance(part, list):
        return [prepared(element, whole, known) for element in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        name = part["$ref"]
        if name not in known:
            target = whole
            for step in name.split("/")[1:]:
                target = target[step]
            known[name] = prepared(target, whole, known)
        return known[name]
    result = {key: prepared(value, whole, known) for key, value in part.items()}
    if isinstance(part.get("pattern"), str):
        result["pattern"] = part["pattern"].replace("$", r"\Z")
    return result


def remembering_items():
    """The keyword of a list's elements, which looks at none twice that was good.

    Most texts differ from the one before in one place.
    """
    plain = jsonschema.Draft7Validator.VALIDATORS["items"]
    good = set()

    def items(validator, schema, instance, parent):
        if not isinstance(instance, list) or not isinstance(schema, dict):
            yield from plain(validator, schema, instance, parent)
            return
        for index, element in enumerate(instance):
            # What was prepared stays where it is.
            known = (id(schema), json.dumps(element))
            if known in good:
                continue
            is_good = True
            for error in validator.descend(element, schema, path=index):
                is_good = False
                yield error
            if is_good:
                good.add(known)

    return items


def refuse_constant(name):
    raise ValueError(name + " is no JSON")


def parsed(request):
    if "file" in request:
        with open(request["file"], "rb") as file:
            text = file.read().decode("utf-8")
    else:
        text = request["text"]
    return json.loads(text, parse_constant=refuse_constant)


def pointer(path):
    return "".join(
        "/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def answer(validator, request):
    try:
        instance = parsed(request)
    except (ValueError, RecursionError) as error:
        return "not-json", [{"pointer": "", "message": str(error)}]
    errors = []
    for error in validator.iter_errors(instance):
        errors.append({"pointer": pointer(error.absolute_path), "message": error.message[:300]})
        if not request.get("errors"):
            break
    return ("rejected" if errors else "accepted"), errors


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)

    def write(name, verdict, errors):
        print(json.dumps({"name": name, "verdict": verdict, "errors": errors}))

    meta = jsonschema.Draft7Validator(jsonschema.Draft7Validator.META_SCHEMA)
    faults = [
        {"pointer": pointer(error.absolute_path), "message": error.message[:300]}
        for error in meta.iter_errors(schema)]
    write("schema", "rejected" if faults else "accepted", faults)
    judge = jsonschema.validators.extend(
        jsonschema.Draft7Validator, {"items": remembering_items()})
    validator = judge(prepared(schema, schema, {}))
    for line in sys.stdin:
        request = json.loads(line)
        write(request["name"], *answer(validator, request))


main()
