"""Reads a stream over HTTP/2 with libcurl. Usage: pycurl-stream.py [remedy]"""
import sys
import time

import pycurl

curl = pycurl.Curl()
curl.setopt(pycurl.URL, "http://api.example:50051/drip")
curl.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
curl.setopt(pycurl.WRITEFUNCTION, lambda data: print(data, flush=True))
if "remedy" in sys.argv:
    curl.setopt(pycurl.LOW_SPEED_LIMIT, 1)
    curl.setopt(pycurl.LOW_SPEED_TIME, 3)
    curl.setopt(pycurl.FORBID_REUSE, 1)

while True:
    try:
        curl.perform()
    except pycurl.error as error:
        print(error, flush=True)
    time.sleep(0.2)
