// Firefox opens a second connection before its request, and measures the delay from that one.
user_pref("network.http.speculative-parallel-limit", 0);
