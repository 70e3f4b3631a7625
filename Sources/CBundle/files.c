// Written by Tests/Tools/bundle (`make golden`). The compiler embeds each listed file.
#include "CBundle.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_Fixtures_Backends_handover_backend_py[] = {
#embed "../../Fixtures/Backends/handover_backend.py"
};
static const unsigned char file_Fixtures_Backends_reference_py[] = {
#embed "../../Fixtures/Backends/reference.py"
};
static const unsigned char file_Fixtures_Backends_reference_rules_py[] = {
#embed "../../Fixtures/Backends/reference_rules.py"
};
static const unsigned char file_Fixtures_Backends_transport_py[] = {
#embed "../../Fixtures/Backends/transport.py"
};
static const unsigned char file_Fixtures_Backends_wrong_py[] = {
#embed "../../Fixtures/Backends/wrong.py"
};
static const unsigned char file_Fixtures_Backends_wrong_transport_py[] = {
#embed "../../Fixtures/Backends/wrong_transport.py"
};
static const unsigned char file_Fixtures_Documents_items_json[] = {
#embed "../../Fixtures/Documents/items.json"
};
static const unsigned char file_Fixtures_Documents_reasons_json[] = {
#embed "../../Fixtures/Documents/reasons.json"
};
static const unsigned char file_Fixtures_Schemas_scenario_1_schema_json[] = {
#embed "../../Fixtures/Schemas/scenario-1.schema.json"
};
static const unsigned char file_Scenarios_addresses_address_dies_json[] = {
#embed "../../Scenarios/addresses/address-dies.json"
};
static const unsigned char file_Scenarios_addresses_answers_by_network_json[] = {
#embed "../../Scenarios/addresses/answers-by-network.json"
};
static const unsigned char file_Scenarios_addresses_broken_ipv6_happy_eyeballs_json[] = {
#embed "../../Scenarios/addresses/broken-ipv6-happy-eyeballs.json"
};
static const unsigned char file_Scenarios_addresses_broken_ipv6_in_order_json[] = {
#embed "../../Scenarios/addresses/broken-ipv6-in-order.json"
};
static const unsigned char file_Scenarios_addresses_dns_change_json[] = {
#embed "../../Scenarios/addresses/dns-change.json"
};
static const unsigned char file_Scenarios_addresses_family_lost_json[] = {
#embed "../../Scenarios/addresses/family-lost.json"
};
static const unsigned char file_Scenarios_addresses_name_server_fails_json[] = {
#embed "../../Scenarios/addresses/name-server-fails.json"
};
static const unsigned char file_Scenarios_addresses_name_server_hangs_json[] = {
#embed "../../Scenarios/addresses/name-server-hangs.json"
};
static const unsigned char file_Scenarios_addresses_nat64_json[] = {
#embed "../../Scenarios/addresses/nat64.json"
};
static const unsigned char file_Scenarios_addresses_server_accepts_meanwhile_json[] = {
#embed "../../Scenarios/addresses/server-accepts-meanwhile.json"
};
static const unsigned char file_Scenarios_addresses_server_refuses_at_a_silent_one_json[] = {
#embed "../../Scenarios/addresses/server-refuses-at-a-silent-one.json"
};
static const unsigned char file_Scenarios_addresses_server_refuses_at_each_json[] = {
#embed "../../Scenarios/addresses/server-refuses-at-each.json"
};
static const unsigned char file_Scenarios_addresses_server_refuses_meanwhile_json[] = {
#embed "../../Scenarios/addresses/server-refuses-meanwhile.json"
};
static const unsigned char file_Scenarios_addresses_slow_answer_then_cellular_json[] = {
#embed "../../Scenarios/addresses/slow-answer-then-cellular.json"
};
static const unsigned char file_Scenarios_addresses_slow_ipv6_answer_json[] = {
#embed "../../Scenarios/addresses/slow-ipv6-answer.json"
};
static const unsigned char file_Scenarios_background_airplane_mode_json[] = {
#embed "../../Scenarios/background/airplane-mode.json"
};
static const unsigned char file_Scenarios_background_answer_before_overdue_deadline_json[] = {
#embed "../../Scenarios/background/answer-before-overdue-deadline.json"
};
static const unsigned char file_Scenarios_background_back_on_the_old_hotspot_json[] = {
#embed "../../Scenarios/background/back-on-the-old-hotspot.json"
};
static const unsigned char file_Scenarios_background_callback_before_answer_json[] = {
#embed "../../Scenarios/background/callback-before-answer.json"
};
static const unsigned char file_Scenarios_background_calls_while_it_runs_json[] = {
#embed "../../Scenarios/background/calls-while-it-runs.json"
};
static const unsigned char file_Scenarios_background_deadline_counts_sleep_json[] = {
#embed "../../Scenarios/background/deadline-counts-sleep.json"
};
static const unsigned char file_Scenarios_background_deadline_on_a_clock_that_stops_json[] = {
#embed "../../Scenarios/background/deadline-on-a-clock-that-stops.json"
};
static const unsigned char file_Scenarios_background_held_callback_json[] = {
#embed "../../Scenarios/background/held-callback.json"
};
static const unsigned char file_Scenarios_background_hotspot_change_while_it_runs_json[] = {
#embed "../../Scenarios/background/hotspot-change-while-it-runs.json"
};
static const unsigned char file_Scenarios_background_hotspot_change_json[] = {
#embed "../../Scenarios/background/hotspot-change.json"
};
static const unsigned char file_Scenarios_background_link_left_goes_down_later_json[] = {
#embed "../../Scenarios/background/link-left-goes-down-later.json"
};
static const unsigned char file_Scenarios_background_overdue_deadline_json[] = {
#embed "../../Scenarios/background/overdue-deadline.json"
};
static const unsigned char file_Scenarios_background_round_trip_is_not_seen_json[] = {
#embed "../../Scenarios/background/round-trip-is-not-seen.json"
};
static const unsigned char file_Scenarios_background_server_closes_json[] = {
#embed "../../Scenarios/background/server-closes.json"
};
static const unsigned char file_Scenarios_background_transition_while_it_runs_json[] = {
#embed "../../Scenarios/background/transition-while-it-runs.json"
};
static const unsigned char file_Scenarios_background_woken_to_fetch_json[] = {
#embed "../../Scenarios/background/woken-to-fetch.json"
};
static const unsigned char file_Scenarios_backoff_attempt_as_long_as_the_delay_json[] = {
#embed "../../Scenarios/backoff/attempt-as-long-as-the-delay.json"
};
static const unsigned char file_Scenarios_backoff_attempt_without_answer_json[] = {
#embed "../../Scenarios/backoff/attempt-without-answer.json"
};
static const unsigned char file_Scenarios_backoff_broken_connection_keeps_the_instant_json[] = {
#embed "../../Scenarios/backoff/broken-connection-keeps-the-instant.json"
};
static const unsigned char file_Scenarios_backoff_callback_of_the_same_network_changes_nothing_json[] = {
#embed "../../Scenarios/backoff/callback-of-the-same-network-changes-nothing.json"
};
static const unsigned char file_Scenarios_backoff_delays_grow_json[] = {
#embed "../../Scenarios/backoff/delays-grow.json"
};
static const unsigned char file_Scenarios_backoff_delays_stop_growing_json[] = {
#embed "../../Scenarios/backoff/delays-stop-growing.json"
};
static const unsigned char file_Scenarios_backoff_doubling_json[] = {
#embed "../../Scenarios/backoff/doubling.json"
};
static const unsigned char file_Scenarios_backoff_fail_fast_after_the_backoff_json[] = {
#embed "../../Scenarios/backoff/fail-fast-after-the-backoff.json"
};
static const unsigned char file_Scenarios_backoff_fail_fast_json[] = {
#embed "../../Scenarios/backoff/fail-fast.json"
};
static const unsigned char file_Scenarios_backoff_jitter_json[] = {
#embed "../../Scenarios/backoff/jitter.json"
};
static const unsigned char file_Scenarios_backoff_longest_delay_of_a_call_json[] = {
#embed "../../Scenarios/backoff/longest-delay-of-a-call.json"
};
static const unsigned char file_Scenarios_backoff_no_call_no_attempt_json[] = {
#embed "../../Scenarios/backoff/no-call-no-attempt.json"
};
static const unsigned char file_Scenarios_backoff_options_of_a_call_json[] = {
#embed "../../Scenarios/backoff/options-of-a-call.json"
};
static const unsigned char file_Scenarios_backoff_reset_after_a_long_delay_json[] = {
#embed "../../Scenarios/backoff/reset-after-a-long-delay.json"
};
static const unsigned char file_Scenarios_backoff_reset_by_success_json[] = {
#embed "../../Scenarios/backoff/reset-by-success.json"
};
static const unsigned char file_Scenarios_backoff_settings_come_late_json[] = {
#embed "../../Scenarios/backoff/settings-come-late.json"
};
static const unsigned char file_Scenarios_backoff_silent_server_is_no_success_json[] = {
#embed "../../Scenarios/backoff/silent-server-is-no-success.json"
};
static const unsigned char file_Scenarios_backoff_two_minutes_at_most_json[] = {
#embed "../../Scenarios/backoff/two-minutes-at-most.json"
};
static const unsigned char file_Scenarios_backoff_waits_and_fails_json[] = {
#embed "../../Scenarios/backoff/waits-and-fails.json"
};
static const unsigned char file_Scenarios_backoff_waits_and_runs_json[] = {
#embed "../../Scenarios/backoff/waits-and-runs.json"
};
static const unsigned char file_Scenarios_backoff_waits_until_cancelled_json[] = {
#embed "../../Scenarios/backoff/waits-until-cancelled.json"
};
static const unsigned char file_Scenarios_backoff_waits_until_its_deadline_json[] = {
#embed "../../Scenarios/backoff/waits-until-its-deadline.json"
};
static const unsigned char file_Scenarios_bugs_f01_callbacks_without_a_change_json[] = {
#embed "../../Scenarios/bugs/f01-callbacks-without-a-change.json"
};
static const unsigned char file_Scenarios_bugs_f02_other_hotspot_in_the_background_json[] = {
#embed "../../Scenarios/bugs/f02-other-hotspot-in-the-background.json"
};
static const unsigned char file_Scenarios_bugs_f02_other_hotspot_same_category_json[] = {
#embed "../../Scenarios/bugs/f02-other-hotspot-same-category.json"
};
static const unsigned char file_Scenarios_bugs_f03_same_network_after_a_gap_json[] = {
#embed "../../Scenarios/bugs/f03-same-network-after-a-gap.json"
};
static const unsigned char file_Scenarios_bugs_f03_same_network_again_json[] = {
#embed "../../Scenarios/bugs/f03-same-network-again.json"
};
static const unsigned char file_Scenarios_bugs_f04_vpn_comes_and_goes_json[] = {
#embed "../../Scenarios/bugs/f04-vpn-comes-and-goes.json"
};
static const unsigned char file_Scenarios_bugs_f05_back_online_is_missed_json[] = {
#embed "../../Scenarios/bugs/f05-back-online-is-missed.json"
};
static const unsigned char file_Scenarios_bugs_f06_flapping_cuts_the_backoff_short_json[] = {
#embed "../../Scenarios/bugs/f06-flapping-cuts-the-backoff-short.json"
};
static const unsigned char file_Scenarios_bugs_f07_wifi_to_cellular_in_the_background_json[] = {
#embed "../../Scenarios/bugs/f07-wifi-to-cellular-in-the-background.json"
};
static const unsigned char file_Scenarios_bugs_f08_writes_go_nowhere_json[] = {
#embed "../../Scenarios/bugs/f08-writes-go-nowhere.json"
};
static const unsigned char file_Scenarios_bugs_f09_half_open_for_a_quarter_of_an_hour_json[] = {
#embed "../../Scenarios/bugs/f09-half-open-for-a-quarter-of-an-hour.json"
};
static const unsigned char file_Scenarios_bugs_f10_waits_for_connectivity_json[] = {
#embed "../../Scenarios/bugs/f10-waits-for-connectivity.json"
};
static const unsigned char file_Scenarios_bugs_f11_pooled_connection_is_dead_json[] = {
#embed "../../Scenarios/bugs/f11-pooled-connection-is-dead.json"
};
static const unsigned char file_Scenarios_bugs_f12_listener_hears_nothing_json[] = {
#embed "../../Scenarios/bugs/f12-listener-hears-nothing.json"
};
static const unsigned char file_Scenarios_bugs_f13_listener_and_flags_disagree_json[] = {
#embed "../../Scenarios/bugs/f13-listener-and-flags-disagree.json"
};
static const unsigned char file_Scenarios_bugs_f14_airplane_mode_in_the_background_json[] = {
#embed "../../Scenarios/bugs/f14-airplane-mode-in-the-background.json"
};
static const unsigned char file_Scenarios_bugs_f14_airplane_mode_json[] = {
#embed "../../Scenarios/bugs/f14-airplane-mode.json"
};
static const unsigned char file_Scenarios_bugs_f15_fails_until_the_restart_json[] = {
#embed "../../Scenarios/bugs/f15-fails-until-the-restart.json"
};
static const unsigned char file_Scenarios_bugs_f16_unresolved_name_ends_no_call_json[] = {
#embed "../../Scenarios/bugs/f16-unresolved-name-ends-no-call.json"
};
static const unsigned char file_Scenarios_bugs_f17_fails_right_after_recovery_json[] = {
#embed "../../Scenarios/bugs/f17-fails-right-after-recovery.json"
};
static const unsigned char file_Scenarios_bugs_f18_monitor_overrun_json[] = {
#embed "../../Scenarios/bugs/f18-monitor-overrun.json"
};
static const unsigned char file_Scenarios_bugs_f18_transition_is_lost_json[] = {
#embed "../../Scenarios/bugs/f18-transition-is-lost.json"
};
static const unsigned char file_Scenarios_bugs_n01_network_was_down_once_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n01-network-was-down-once-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n01_network_was_down_once_json[] = {
#embed "../../Scenarios/bugs/n01-network-was-down-once.json"
};
static const unsigned char file_Scenarios_bugs_n02_dead_connection_is_used_again_json[] = {
#embed "../../Scenarios/bugs/n02-dead-connection-is-used-again.json"
};
static const unsigned char file_Scenarios_bugs_n03_interface_fails_and_another_serves_json[] = {
#embed "../../Scenarios/bugs/n03-interface-fails-and-another-serves.json"
};
static const unsigned char file_Scenarios_bugs_n03_interface_fails_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n03-interface-fails-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n04_cancelled_calls_keep_the_dead_connection_json[] = {
#embed "../../Scenarios/bugs/n04-cancelled-calls-keep-the-dead-connection.json"
};
static const unsigned char file_Scenarios_bugs_n04_cancelled_calls_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n04-cancelled-calls-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n05_keepalive_ends_the_calls_on_the_dead_peer_json[] = {
#embed "../../Scenarios/bugs/n05-keepalive-ends-the-calls-on-the-dead-peer.json"
};
static const unsigned char file_Scenarios_bugs_n06_wifi_comes_in_the_background_json[] = {
#embed "../../Scenarios/bugs/n06-wifi-comes-in-the-background.json"
};
static const unsigned char file_Scenarios_bugs_n08_loss_is_told_after_the_successor_json[] = {
#embed "../../Scenarios/bugs/n08-loss-is-told-after-the-successor.json"
};
static const unsigned char file_Scenarios_bugs_n09_fails_at_the_instant_of_recovery_json[] = {
#embed "../../Scenarios/bugs/n09-fails-at-the-instant-of-recovery.json"
};
static const unsigned char file_Scenarios_bugs_n10_unblocked_in_front_and_nobody_says_so_json[] = {
#embed "../../Scenarios/bugs/n10-unblocked-in-front-and-nobody-says-so.json"
};
static const unsigned char file_Scenarios_bugs_n10_unblocked_in_front_and_told_json[] = {
#embed "../../Scenarios/bugs/n10-unblocked-in-front-and-told.json"
};
static const unsigned char file_Scenarios_bugs_n11_old_network_lingers_json[] = {
#embed "../../Scenarios/bugs/n11-old-network-lingers.json"
};
static const unsigned char file_Scenarios_bugs_n12_stream_stays_on_the_network_that_dies_json[] = {
#embed "../../Scenarios/bugs/n12-stream-stays-on-the-network-that-dies.json"
};
static const unsigned char file_Scenarios_bugs_n13_walk_between_hotspots_json[] = {
#embed "../../Scenarios/bugs/n13-walk-between-hotspots.json"
};
static const unsigned char file_Scenarios_bugs_n14_router_loses_its_uplink_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n14-router-loses-its-uplink-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n14_router_loses_its_uplink_json[] = {
#embed "../../Scenarios/bugs/n14-router-loses-its-uplink.json"
};
static const unsigned char file_Scenarios_bugs_n16_two_errors_for_each_connection_json[] = {
#embed "../../Scenarios/bugs/n16-two-errors-for-each-connection.json"
};
static const unsigned char file_Scenarios_bugs_n19_there_and_back_while_nobody_answers_json[] = {
#embed "../../Scenarios/bugs/n19-there-and-back-while-nobody-answers.json"
};
static const unsigned char file_Scenarios_bugs_n20_socket_keeps_the_old_address_json[] = {
#embed "../../Scenarios/bugs/n20-socket-keeps-the-old-address.json"
};
static const unsigned char file_Scenarios_bugs_n21_swapped_socket_without_a_migration_json[] = {
#embed "../../Scenarios/bugs/n21-swapped-socket-without-a-migration.json"
};
static const unsigned char file_Scenarios_bugs_n22_address_of_another_interface_is_not_heard_json[] = {
#embed "../../Scenarios/bugs/n22-address-of-another-interface-is-not-heard.json"
};
static const unsigned char file_Scenarios_bugs_n22_address_of_another_interface_json[] = {
#embed "../../Scenarios/bugs/n22-address-of-another-interface.json"
};
static const unsigned char file_Scenarios_bugs_n23_pings_go_on_after_goaway_json[] = {
#embed "../../Scenarios/bugs/n23-pings-go-on-after-goaway.json"
};
static const unsigned char file_Scenarios_bugs_n24_sends_do_not_put_the_ping_off_json[] = {
#embed "../../Scenarios/bugs/n24-sends-do-not-put-the-ping-off.json"
};
static const unsigned char file_Scenarios_bugs_n26_other_hotspot_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n26-other-hotspot-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n26_other_hotspot_with_the_same_flags_json[] = {
#embed "../../Scenarios/bugs/n26-other-hotspot-with-the-same-flags.json"
};
static const unsigned char file_Scenarios_bugs_n27_vpn_off_and_on_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n27-vpn-off-and-on-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n27_vpn_off_and_on_json[] = {
#embed "../../Scenarios/bugs/n27-vpn-off-and-on.json"
};
static const unsigned char file_Scenarios_bugs_n28_unary_call_outlives_its_network_json[] = {
#embed "../../Scenarios/bugs/n28-unary-call-outlives-its-network.json"
};
static const unsigned char file_Scenarios_bugs_n29_channel_lives_on_after_keepalive_json[] = {
#embed "../../Scenarios/bugs/n29-channel-lives-on-after-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n31_calls_after_a_long_sleep_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n31-calls-after-a-long-sleep-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n31_calls_after_a_long_sleep_json[] = {
#embed "../../Scenarios/bugs/n31-calls-after-a-long-sleep.json"
};
static const unsigned char file_Scenarios_bugs_n32_answers_are_lost_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n32-answers-are-lost-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n32_answers_are_lost_json[] = {
#embed "../../Scenarios/bugs/n32-answers-are-lost.json"
};
static const unsigned char file_Scenarios_bugs_n33_hotspot_without_internet_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n33-hotspot-without-internet-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n33_hotspot_without_internet_json[] = {
#embed "../../Scenarios/bugs/n33-hotspot-without-internet.json"
};
static const unsigned char file_Scenarios_bugs_n34_new_address_behind_the_router_json[] = {
#embed "../../Scenarios/bugs/n34-new-address-behind-the-router.json"
};
static const unsigned char file_Scenarios_bugs_n34_new_address_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n34-new-address-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n35_each_pooled_connection_hangs_once_json[] = {
#embed "../../Scenarios/bugs/n35-each-pooled-connection-hangs-once.json"
};
static const unsigned char file_Scenarios_bugs_n35_each_pooled_connection_with_keepalive_json[] = {
#embed "../../Scenarios/bugs/n35-each-pooled-connection-with-keepalive.json"
};
static const unsigned char file_Scenarios_bugs_n37_call_outlives_a_gap_json[] = {
#embed "../../Scenarios/bugs/n37-call-outlives-a-gap.json"
};
static const unsigned char file_Scenarios_bugs_n38_callbacks_of_every_network_json[] = {
#embed "../../Scenarios/bugs/n38-callbacks-of-every-network.json"
};
static const unsigned char file_Scenarios_bugs_n38_callbacks_of_the_default_network_json[] = {
#embed "../../Scenarios/bugs/n38-callbacks-of-the-default-network.json"
};
static const unsigned char file_Scenarios_bugs_n39_first_call_after_a_sleep_json[] = {
#embed "../../Scenarios/bugs/n39-first-call-after-a-sleep.json"
};
static const unsigned char file_Scenarios_bugs_n40_wakes_without_a_network_json[] = {
#embed "../../Scenarios/bugs/n40-wakes-without-a-network.json"
};
static const unsigned char file_Scenarios_calls_answer_ends_the_call_json[] = {
#embed "../../Scenarios/calls/answer-ends-the-call.json"
};
static const unsigned char file_Scenarios_calls_cancel_is_sent_json[] = {
#embed "../../Scenarios/calls/cancel-is-sent.json"
};
static const unsigned char file_Scenarios_calls_connecting_call_is_never_sent_json[] = {
#embed "../../Scenarios/calls/connecting-call-is-never-sent.json"
};
static const unsigned char file_Scenarios_calls_deadline_before_the_token_json[] = {
#embed "../../Scenarios/calls/deadline-before-the-token.json"
};
static const unsigned char file_Scenarios_calls_deadlines_half_a_millisecond_apart_json[] = {
#embed "../../Scenarios/calls/deadlines-half-a-millisecond-apart.json"
};
static const unsigned char file_Scenarios_calls_each_end_has_its_status_json[] = {
#embed "../../Scenarios/calls/each-end-has-its-status.json"
};
static const unsigned char file_Scenarios_calls_failed_call_is_never_sent_json[] = {
#embed "../../Scenarios/calls/failed-call-is-never-sent.json"
};
static const unsigned char file_Scenarios_calls_failed_write_json[] = {
#embed "../../Scenarios/calls/failed-write.json"
};
static const unsigned char file_Scenarios_calls_finished_call_is_left_alone_json[] = {
#embed "../../Scenarios/calls/finished-call-is-left-alone.json"
};
static const unsigned char file_Scenarios_calls_made_and_never_started_json[] = {
#embed "../../Scenarios/calls/made-and-never-started.json"
};
static const unsigned char file_Scenarios_calls_made_and_not_started_json[] = {
#embed "../../Scenarios/calls/made-and-not-started.json"
};
static const unsigned char file_Scenarios_calls_no_channel_before_the_token_json[] = {
#embed "../../Scenarios/calls/no-channel-before-the-token.json"
};
static const unsigned char file_Scenarios_calls_no_channel_can_be_made_json[] = {
#embed "../../Scenarios/calls/no-channel-can-be-made.json"
};
static const unsigned char file_Scenarios_calls_queued_message_is_sent_json[] = {
#embed "../../Scenarios/calls/queued-message-is-sent.json"
};
static const unsigned char file_Scenarios_calls_requests_end_once_json[] = {
#embed "../../Scenarios/calls/requests-end-once.json"
};
static const unsigned char file_Scenarios_calls_unavailable_not_cancelled_json[] = {
#embed "../../Scenarios/calls/unavailable-not-cancelled.json"
};
static const unsigned char file_Scenarios_calls_waiting_call_and_recovery_json[] = {
#embed "../../Scenarios/calls/waiting-call-and-recovery.json"
};
static const unsigned char file_Scenarios_calls_waits_for_its_token_json[] = {
#embed "../../Scenarios/calls/waits-for-its-token.json"
};
static const unsigned char file_Scenarios_cfstream_an_error_ends_every_call_json[] = {
#embed "../../Scenarios/cfstream/an-error-ends-every-call.json"
};
static const unsigned char file_Scenarios_cfstream_away_and_back_in_the_background_json[] = {
#embed "../../Scenarios/cfstream/away-and-back-in-the-background.json"
};
static const unsigned char file_Scenarios_cfstream_better_interface_and_the_old_stays_up_json[] = {
#embed "../../Scenarios/cfstream/better-interface-and-the-old-stays-up.json"
};
static const unsigned char file_Scenarios_cfstream_connect_just_in_time_json[] = {
#embed "../../Scenarios/cfstream/connect-just-in-time.json"
};
static const unsigned char file_Scenarios_cfstream_connect_times_out_once_json[] = {
#embed "../../Scenarios/cfstream/connect-times-out-once.json"
};
static const unsigned char file_Scenarios_cfstream_end_of_stream_json[] = {
#embed "../../Scenarios/cfstream/end-of-stream.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_attempt_fails_json[] = {
#embed "../../Scenarios/cfstream/event-engine-attempt-fails.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_end_goes_unnoticed_json[] = {
#embed "../../Scenarios/cfstream/event-engine-end-goes-unnoticed.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_half_closed_with_keepalive_json[] = {
#embed "../../Scenarios/cfstream/event-engine-half-closed-with-keepalive.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_half_closed_json[] = {
#embed "../../Scenarios/cfstream/event-engine-half-closed.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_loss_in_the_background_json[] = {
#embed "../../Scenarios/cfstream/event-engine-loss-in-the-background.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_loss_is_unknown_json[] = {
#embed "../../Scenarios/cfstream/event-engine-loss-is-unknown.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_reset_json[] = {
#embed "../../Scenarios/cfstream/event-engine-reset.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_tcp_times_out_json[] = {
#embed "../../Scenarios/cfstream/event-engine-tcp-times-out.json"
};
static const unsigned char file_Scenarios_cfstream_event_engine_write_after_the_end_json[] = {
#embed "../../Scenarios/cfstream/event-engine-write-after-the-end.json"
};
static const unsigned char file_Scenarios_cfstream_every_event_is_heard_json[] = {
#embed "../../Scenarios/cfstream/every-event-is-heard.json"
};
static const unsigned char file_Scenarios_cfstream_lost_and_restored_json[] = {
#embed "../../Scenarios/cfstream/lost-and-restored.json"
};
static const unsigned char file_Scenarios_cfstream_no_monitor_json[] = {
#embed "../../Scenarios/cfstream/no-monitor.json"
};
static const unsigned char file_Scenarios_cfstream_partial_write_json[] = {
#embed "../../Scenarios/cfstream/partial-write.json"
};
static const unsigned char file_Scenarios_cfstream_read_stream_stalls_with_keepalive_json[] = {
#embed "../../Scenarios/cfstream/read-stream-stalls-with-keepalive.json"
};
static const unsigned char file_Scenarios_cfstream_read_stream_stalls_json[] = {
#embed "../../Scenarios/cfstream/read-stream-stalls.json"
};
static const unsigned char file_Scenarios_cfstream_wifi_appears_json[] = {
#embed "../../Scenarios/cfstream/wifi-appears.json"
};
static const unsigned char file_Scenarios_cfstream_with_a_monitor_another_hotspot_json[] = {
#embed "../../Scenarios/cfstream/with-a-monitor-another-hotspot.json"
};
static const unsigned char file_Scenarios_cfstream_with_a_monitor_both_hear_json[] = {
#embed "../../Scenarios/cfstream/with-a-monitor-both-hear.json"
};
static const unsigned char file_Scenarios_cfstream_with_a_monitor_that_is_deaf_json[] = {
#embed "../../Scenarios/cfstream/with-a-monitor-that-is-deaf.json"
};
static const unsigned char file_Scenarios_clients_cellular_link_stays_up_json[] = {
#embed "../../Scenarios/clients/cellular-link-stays-up.json"
};
static const unsigned char file_Scenarios_clients_cellular_to_wifi_and_killed_json[] = {
#embed "../../Scenarios/clients/cellular-to-wifi-and-killed.json"
};
static const unsigned char file_Scenarios_clients_cellular_to_wifi_in_the_background_json[] = {
#embed "../../Scenarios/clients/cellular-to-wifi-in-the-background.json"
};
static const unsigned char file_Scenarios_clients_cellular_to_wifi_json[] = {
#embed "../../Scenarios/clients/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_clients_idle_connection_json[] = {
#embed "../../Scenarios/clients/idle-connection.json"
};
static const unsigned char file_Scenarios_clients_listen_only_json[] = {
#embed "../../Scenarios/clients/listen-only.json"
};
static const unsigned char file_Scenarios_clients_long_poll_json[] = {
#embed "../../Scenarios/clients/long-poll.json"
};
static const unsigned char file_Scenarios_clients_nothing_changes_json[] = {
#embed "../../Scenarios/clients/nothing-changes.json"
};
static const unsigned char file_Scenarios_clients_nothing_flows_json[] = {
#embed "../../Scenarios/clients/nothing-flows.json"
};
static const unsigned char file_Scenarios_clients_other_hotspot_in_the_background_json[] = {
#embed "../../Scenarios/clients/other-hotspot-in-the-background.json"
};
static const unsigned char file_Scenarios_clients_other_hotspot_json[] = {
#embed "../../Scenarios/clients/other-hotspot.json"
};
static const unsigned char file_Scenarios_clients_wifi_none_wifi_json[] = {
#embed "../../Scenarios/clients/wifi-none-wifi.json"
};
static const unsigned char file_Scenarios_clients_wifi_to_cellular_json[] = {
#embed "../../Scenarios/clients/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_clients_wifi_to_none_json[] = {
#embed "../../Scenarios/clients/wifi-to-none.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_admitted_in_one_step_json[] = {
#embed "../../Scenarios/connection-limits/admission/admitted-in-one-step.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_half_is_for_long_ones_json[] = {
#embed "../../Scenarios/connection-limits/admission/half-is-for-long-ones.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_ios_6_json[] = {
#embed "../../Scenarios/connection-limits/admission/ios-6.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_ios_7_json[] = {
#embed "../../Scenarios/connection-limits/admission/ios-7.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_kind_is_the_callers_word_json[] = {
#embed "../../Scenarios/connection-limits/admission/kind-is-the-callers-word.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_limit_is_lowered_json[] = {
#embed "../../Scenarios/connection-limits/admission/limit-is-lowered.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_limit_is_raised_json[] = {
#embed "../../Scenarios/connection-limits/admission/limit-is-raised.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_limit_raised_while_one_waits_json[] = {
#embed "../../Scenarios/connection-limits/admission/limit-raised-while-one-waits.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_long_may_be_all_json[] = {
#embed "../../Scenarios/connection-limits/admission/long-may-be-all.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_macos_json[] = {
#embed "../../Scenarios/connection-limits/admission/macos.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_no_long_at_all_json[] = {
#embed "../../Scenarios/connection-limits/admission/no-long-at-all.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_one_in_four_json[] = {
#embed "../../Scenarios/connection-limits/admission/one-in-four.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_port_by_scheme_json[] = {
#embed "../../Scenarios/connection-limits/admission/port-by-scheme.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_port_is_added_json[] = {
#embed "../../Scenarios/connection-limits/admission/port-is-added.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_ports_are_endpoints_json[] = {
#embed "../../Scenarios/connection-limits/admission/ports-are-endpoints.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_quarter_of_another_total_json[] = {
#embed "../../Scenarios/connection-limits/admission/quarter-of-another-total.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_short_may_take_everything_json[] = {
#embed "../../Scenarios/connection-limits/admission/short-may-take-everything.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_trailing_dot_json[] = {
#embed "../../Scenarios/connection-limits/admission/trailing-dot.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_version_1_5_json[] = {
#embed "../../Scenarios/connection-limits/admission/version-1.5.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_waiting_long_ones_count_json[] = {
#embed "../../Scenarios/connection-limits/admission/waiting-long-ones-count.json"
};
static const unsigned char file_Scenarios_connection_limits_admission_waits_below_the_long_limit_json[] = {
#embed "../../Scenarios/connection-limits/admission/waits-below-the-long-limit.json"
};
static const unsigned char file_Scenarios_connection_limits_article_control_requests_get_through_json[] = {
#embed "../../Scenarios/connection-limits/article/control-requests-get-through.json"
};
static const unsigned char file_Scenarios_connection_limits_article_download_thaws_in_time_json[] = {
#embed "../../Scenarios/connection-limits/article/download-thaws-in-time.json"
};
static const unsigned char file_Scenarios_connection_limits_article_downloads_freeze_json[] = {
#embed "../../Scenarios/connection-limits/article/downloads-freeze.json"
};
static const unsigned char file_Scenarios_connection_limits_article_fails_json[] = {
#embed "../../Scenarios/connection-limits/article/fails.json"
};
static const unsigned char file_Scenarios_connection_limits_article_fifth_stream_freezes_json[] = {
#embed "../../Scenarios/connection-limits/article/fifth-stream-freezes.json"
};
static const unsigned char file_Scenarios_connection_limits_article_four_streams_live_json[] = {
#embed "../../Scenarios/connection-limits/article/four-streams-live.json"
};
static const unsigned char file_Scenarios_connection_limits_article_frozen_stream_thaws_json[] = {
#embed "../../Scenarios/connection-limits/article/frozen-stream-thaws.json"
};
static const unsigned char file_Scenarios_connection_limits_article_ignored_json[] = {
#embed "../../Scenarios/connection-limits/article/ignored.json"
};
static const unsigned char file_Scenarios_connection_limits_article_polled_json[] = {
#embed "../../Scenarios/connection-limits/article/polled.json"
};
static const unsigned char file_Scenarios_connection_limits_article_queued_json[] = {
#embed "../../Scenarios/connection-limits/article/queued.json"
};
static const unsigned char file_Scenarios_connection_limits_article_refused_json[] = {
#embed "../../Scenarios/connection-limits/article/refused.json"
};
static const unsigned char file_Scenarios_connection_limits_article_seconds_are_not_noticed_json[] = {
#embed "../../Scenarios/connection-limits/article/seconds-are-not-noticed.json"
};
static const unsigned char file_Scenarios_connection_limits_article_sixth_stream_freezes_on_ios_6_json[] = {
#embed "../../Scenarios/connection-limits/article/sixth-stream-freezes-on-ios-6.json"
};
static const unsigned char file_Scenarios_connection_limits_article_told_in_advance_json[] = {
#embed "../../Scenarios/connection-limits/article/told-in-advance.json"
};
static const unsigned char file_Scenarios_connection_limits_article_two_names_of_one_machine_json[] = {
#embed "../../Scenarios/connection-limits/article/two-names-of-one-machine.json"
};
static const unsigned char file_Scenarios_connection_limits_article_which_error_was_it_json[] = {
#embed "../../Scenarios/connection-limits/article/which-error-was-it.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_after_the_close_json[] = {
#embed "../../Scenarios/connection-limits/cancel/after-the-close.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_close_between_polls_json[] = {
#embed "../../Scenarios/connection-limits/cancel/close-between-polls.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_close_ends_everything_json[] = {
#embed "../../Scenarios/connection-limits/cancel/close-ends-everything.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_frozen_by_ignore_json[] = {
#embed "../../Scenarios/connection-limits/cancel/frozen-by-ignore.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_frozen_json[] = {
#embed "../../Scenarios/connection-limits/cancel/frozen.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_late_answer_json[] = {
#embed "../../Scenarios/connection-limits/cancel/late-answer.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_lets_others_move_up_json[] = {
#embed "../../Scenarios/connection-limits/cancel/lets-others-move-up.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_polled_at_rest_json[] = {
#embed "../../Scenarios/connection-limits/cancel/polled-at-rest.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_polled_while_it_waits_json[] = {
#embed "../../Scenarios/connection-limits/cancel/polled-while-it-waits.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_refused_json[] = {
#embed "../../Scenarios/connection-limits/cancel/refused.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_running_json[] = {
#embed "../../Scenarios/connection-limits/cancel/running.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_synchronous_json[] = {
#embed "../../Scenarios/connection-limits/cancel/synchronous.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_twice_json[] = {
#embed "../../Scenarios/connection-limits/cancel/twice.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_waiting_long_json[] = {
#embed "../../Scenarios/connection-limits/cancel/waiting-long.json"
};
static const unsigned char file_Scenarios_connection_limits_cancel_waiting_json[] = {
#embed "../../Scenarios/connection-limits/cancel/waiting.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u04_letters_of_the_host_json[] = {
#embed "../../Scenarios/connection-limits/defects/u04-letters-of-the-host.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u79_at_a_transition_json[] = {
#embed "../../Scenarios/connection-limits/defects/u79-at-a-transition.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u79_slot_of_another_endpoint_json[] = {
#embed "../../Scenarios/connection-limits/defects/u79-slot-of-another-endpoint.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u80_slot_freed_as_it_waits_json[] = {
#embed "../../Scenarios/connection-limits/defects/u80-slot-freed-as-it-waits.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u81_nothing_to_begin_json[] = {
#embed "../../Scenarios/connection-limits/defects/u81-nothing-to-begin.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u82_cancel_before_the_change_json[] = {
#embed "../../Scenarios/connection-limits/defects/u82-cancel-before-the-change.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u82_cancel_in_the_queue_json[] = {
#embed "../../Scenarios/connection-limits/defects/u82-cancel-in-the-queue.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u83_no_time_out_json[] = {
#embed "../../Scenarios/connection-limits/defects/u83-no-time-out.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u85_ends_as_it_starts_json[] = {
#embed "../../Scenarios/connection-limits/defects/u85-ends-as-it-starts.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u85_no_network_json[] = {
#embed "../../Scenarios/connection-limits/defects/u85-no-network.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u86_requests_are_no_connections_json[] = {
#embed "../../Scenarios/connection-limits/defects/u86-requests-are-no-connections.json"
};
static const unsigned char file_Scenarios_connection_limits_defects_u87_blocked_for_ever_json[] = {
#embed "../../Scenarios/connection-limits/defects/u87-blocked-for-ever.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_answer_is_discarded_json[] = {
#embed "../../Scenarios/connection-limits/faults/answer-is-discarded.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_behind_two_spellings_json[] = {
#embed "../../Scenarios/connection-limits/faults/behind-two-spellings.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_first_packets_are_lost_json[] = {
#embed "../../Scenarios/connection-limits/faults/first-packets-are-lost.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_name_is_resolved_later_json[] = {
#embed "../../Scenarios/connection-limits/faults/name-is-resolved-later.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_only_one_endpoint_json[] = {
#embed "../../Scenarios/connection-limits/faults/only-one-endpoint.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_poll_is_reset_json[] = {
#embed "../../Scenarios/connection-limits/faults/poll-is-reset.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_reset_behind_a_stall_json[] = {
#embed "../../Scenarios/connection-limits/faults/reset-behind-a-stall.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_server_closes_json[] = {
#embed "../../Scenarios/connection-limits/faults/server-closes.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_server_comes_back_json[] = {
#embed "../../Scenarios/connection-limits/faults/server-comes-back.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_server_falls_silent_on_short_ones_json[] = {
#embed "../../Scenarios/connection-limits/faults/server-falls-silent-on-short-ones.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_server_falls_silent_json[] = {
#embed "../../Scenarios/connection-limits/faults/server-falls-silent.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_server_resets_json[] = {
#embed "../../Scenarios/connection-limits/faults/server-resets.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_server_speaks_again_json[] = {
#embed "../../Scenarios/connection-limits/faults/server-speaks-again.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_stalls_and_resumes_json[] = {
#embed "../../Scenarios/connection-limits/faults/stalls-and-resumes.json"
};
static const unsigned char file_Scenarios_connection_limits_faults_stalls_for_good_json[] = {
#embed "../../Scenarios/connection-limits/faults/stalls-for-good.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_budget_is_used_up_json[] = {
#embed "../../Scenarios/connection-limits/http2/budget-is-used-up.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_cancel_ends_one_stream_json[] = {
#embed "../../Scenarios/connection-limits/http2/cancel-ends-one-stream.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_goaway_json[] = {
#embed "../../Scenarios/connection-limits/http2/goaway.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_long_limit_is_raised_json[] = {
#embed "../../Scenarios/connection-limits/http2/long-limit-is-raised.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_long_part_of_the_budget_json[] = {
#embed "../../Scenarios/connection-limits/http2/long-part-of-the-budget.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_many_on_one_connection_json[] = {
#embed "../../Scenarios/connection-limits/http2/many-on-one-connection.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_many_streams_json[] = {
#embed "../../Scenarios/connection-limits/http2/many-streams.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_one_beside_http1_json[] = {
#embed "../../Scenarios/connection-limits/http2/one-beside-http1.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_one_connection_for_each_pool_json[] = {
#embed "../../Scenarios/connection-limits/http2/one-connection-for-each-pool.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_websocket_is_cancelled_json[] = {
#embed "../../Scenarios/connection-limits/http2/websocket-is-cancelled.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_websocket_until_the_response_json[] = {
#embed "../../Scenarios/connection-limits/http2/websocket-until-the-response.json"
};
static const unsigned char file_Scenarios_connection_limits_http2_websockets_are_exempt_json[] = {
#embed "../../Scenarios/connection-limits/http2/websockets-are-exempt.json"
};
static const unsigned char file_Scenarios_connection_limits_order_first_come_json[] = {
#embed "../../Scenarios/connection-limits/order/first-come.json"
};
static const unsigned char file_Scenarios_connection_limits_order_frozen_one_leaves_the_spare_slots_json[] = {
#embed "../../Scenarios/connection-limits/order/frozen-one-leaves-the-spare-slots.json"
};
static const unsigned char file_Scenarios_connection_limits_order_frozen_one_starts_first_json[] = {
#embed "../../Scenarios/connection-limits/order/frozen-one-starts-first.json"
};
static const unsigned char file_Scenarios_connection_limits_order_long_that_came_first_json[] = {
#embed "../../Scenarios/connection-limits/order/long-that-came-first.json"
};
static const unsigned char file_Scenarios_connection_limits_order_poll_waits_for_the_only_slot_json[] = {
#embed "../../Scenarios/connection-limits/order/poll-waits-for-the-only-slot.json"
};
static const unsigned char file_Scenarios_connection_limits_order_polls_stand_in_line_json[] = {
#embed "../../Scenarios/connection-limits/order/polls-stand-in-line.json"
};
static const unsigned char file_Scenarios_connection_limits_order_short_passes_a_waiting_long_json[] = {
#embed "../../Scenarios/connection-limits/order/short-passes-a-waiting-long.json"
};
static const unsigned char file_Scenarios_connection_limits_order_short_that_came_first_json[] = {
#embed "../../Scenarios/connection-limits/order/short-that-came-first.json"
};
static const unsigned char file_Scenarios_connection_limits_order_slots_freed_together_json[] = {
#embed "../../Scenarios/connection-limits/order/slots-freed-together.json"
};
static const unsigned char file_Scenarios_connection_limits_order_spare_slots_of_a_smaller_platform_json[] = {
#embed "../../Scenarios/connection-limits/order/spare-slots-of-a-smaller-platform.json"
};
static const unsigned char file_Scenarios_connection_limits_order_synchronous_stands_in_line_json[] = {
#embed "../../Scenarios/connection-limits/order/synchronous-stands-in-line.json"
};
static const unsigned char file_Scenarios_connection_limits_order_twenty_downloads_json[] = {
#embed "../../Scenarios/connection-limits/order/twenty-downloads.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_connections_are_used_again_json[] = {
#embed "../../Scenarios/connection-limits/platform/connections-are-used-again.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_fifth_short_does_not_time_out_json[] = {
#embed "../../Scenarios/connection-limits/platform/fifth-short-does-not-time-out.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_fifth_short_waits_json[] = {
#embed "../../Scenarios/connection-limits/platform/fifth-short-waits.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_less_than_the_total_json[] = {
#embed "../../Scenarios/connection-limits/platform/less-than-the-total.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_more_than_the_total_json[] = {
#embed "../../Scenarios/connection-limits/platform/more-than-the-total.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_name_hangs_json[] = {
#embed "../../Scenarios/connection-limits/platform/name-hangs.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_name_is_unknown_json[] = {
#embed "../../Scenarios/connection-limits/platform/name-is-unknown.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_no_network_json[] = {
#embed "../../Scenarios/connection-limits/platform/no-network.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_one_connection_each_json[] = {
#embed "../../Scenarios/connection-limits/platform/one-connection-each.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_other_endpoints_are_free_json[] = {
#embed "../../Scenarios/connection-limits/platform/other-endpoints-are-free.json"
};
static const unsigned char file_Scenarios_connection_limits_platform_server_refuses_json[] = {
#embed "../../Scenarios/connection-limits/platform/server-refuses.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_enqueue_leaves_the_spare_ones_json[] = {
#embed "../../Scenarios/connection-limits/policies/enqueue-leaves-the-spare-ones.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_enqueue_json[] = {
#embed "../../Scenarios/connection-limits/policies/enqueue.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_fail_json[] = {
#embed "../../Scenarios/connection-limits/policies/fail.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_ignore_json[] = {
#embed "../../Scenarios/connection-limits/policies/ignore.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_none_counts_below_the_limit_json[] = {
#embed "../../Scenarios/connection-limits/policies/none-counts-below-the-limit.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_own_policy_wins_json[] = {
#embed "../../Scenarios/connection-limits/policies/own-policy-wins.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_poll_every_two_seconds_json[] = {
#embed "../../Scenarios/connection-limits/policies/poll-every-two-seconds.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_poll_json[] = {
#embed "../../Scenarios/connection-limits/policies/poll.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_polled_stream_ends_of_itself_json[] = {
#embed "../../Scenarios/connection-limits/policies/polled-stream-ends-of-itself.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_take_spare_json[] = {
#embed "../../Scenarios/connection-limits/policies/take-spare.json"
};
static const unsigned char file_Scenarios_connection_limits_policies_throw_json[] = {
#embed "../../Scenarios/connection-limits/policies/throw.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_after_the_close_a_new_one_json[] = {
#embed "../../Scenarios/connection-limits/pools/after-the-close-a-new-one.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_each_answers_for_itself_json[] = {
#embed "../../Scenarios/connection-limits/pools/each-answers-for-itself.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_idle_connections_are_closed_in_time_json[] = {
#embed "../../Scenarios/connection-limits/pools/idle-connections-are-closed-in-time.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_idle_connections_freeze_the_next_json[] = {
#embed "../../Scenarios/connection-limits/pools/idle-connections-freeze-the-next.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_limit_of_one_json[] = {
#embed "../../Scenarios/connection-limits/pools/limit-of-one.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_limits_are_of_a_dispatcher_json[] = {
#embed "../../Scenarios/connection-limits/pools/limits-are-of-a-dispatcher.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_one_dispatcher_json[] = {
#embed "../../Scenarios/connection-limits/pools/one-dispatcher.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_one_is_closed_json[] = {
#embed "../../Scenarios/connection-limits/pools/one-is-closed.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_one_shared_pool_json[] = {
#embed "../../Scenarios/connection-limits/pools/one-shared-pool.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_own_pool_has_an_idle_one_json[] = {
#embed "../../Scenarios/connection-limits/pools/own-pool-has-an-idle-one.json"
};
static const unsigned char file_Scenarios_connection_limits_pools_two_dispatchers_json[] = {
#embed "../../Scenarios/connection-limits/pools/two-dispatchers.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_after_the_close_json[] = {
#embed "../../Scenarios/connection-limits/prediction/after-the-close.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_asking_changes_nothing_json[] = {
#embed "../../Scenarios/connection-limits/prediction/asking-changes-nothing.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_counts_short_load_json[] = {
#embed "../../Scenarios/connection-limits/prediction/counts-short-load.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_each_kind_json[] = {
#embed "../../Scenarios/connection-limits/prediction/each-kind.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_each_policy_json[] = {
#embed "../../Scenarios/connection-limits/prediction/each-policy.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_is_no_reservation_json[] = {
#embed "../../Scenarios/connection-limits/prediction/is-no-reservation.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_of_another_endpoint_json[] = {
#embed "../../Scenarios/connection-limits/prediction/of-another-endpoint.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_of_another_spelling_json[] = {
#embed "../../Scenarios/connection-limits/prediction/of-another-spelling.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_right_after_an_end_json[] = {
#embed "../../Scenarios/connection-limits/prediction/right-after-an-end.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_waiting_long_ones_count_json[] = {
#embed "../../Scenarios/connection-limits/prediction/waiting-long-ones-count.json"
};
static const unsigned char file_Scenarios_connection_limits_prediction_yes_then_no_json[] = {
#embed "../../Scenarios/connection-limits/prediction/yes-then-no.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_a_failure_ends_no_thread_json[] = {
#embed "../../Scenarios/connection-limits/threads/a-failure-ends-no-thread.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_any_number_may_wait_json[] = {
#embed "../../Scenarios/connection-limits/threads/any-number-may-wait.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_collected_when_idle_json[] = {
#embed "../../Scenarios/connection-limits/threads/collected-when-idle.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_each_endpoint_has_its_own_json[] = {
#embed "../../Scenarios/connection-limits/threads/each-endpoint-has-its-own.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_gone_at_once_json[] = {
#embed "../../Scenarios/connection-limits/threads/gone-at-once.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_made_when_needed_json[] = {
#embed "../../Scenarios/connection-limits/threads/made-when-needed.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_never_more_than_the_limit_json[] = {
#embed "../../Scenarios/connection-limits/threads/never-more-than-the-limit.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_nothing_after_the_close_json[] = {
#embed "../../Scenarios/connection-limits/threads/nothing-after-the-close.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_spare_threads_json[] = {
#embed "../../Scenarios/connection-limits/threads/spare-threads.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_steady_work_keeps_one_json[] = {
#embed "../../Scenarios/connection-limits/threads/steady-work-keeps-one.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_taken_again_in_time_json[] = {
#embed "../../Scenarios/connection-limits/threads/taken-again-in-time.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_the_close_ends_them_json[] = {
#embed "../../Scenarios/connection-limits/threads/the-close-ends-them.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_the_latest_is_taken_first_json[] = {
#embed "../../Scenarios/connection-limits/threads/the-latest-is-taken-first.json"
};
static const unsigned char file_Scenarios_connection_limits_threads_times_of_ones_own_json[] = {
#embed "../../Scenarios/connection-limits/threads/times-of-ones-own.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_after_the_end_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/after-the-end.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_data_begins_it_anew_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/data-begins-it-anew.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_deadline_between_polls_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-between-polls.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_deadline_while_it_is_frozen_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-while-it-is-frozen.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_deadline_while_it_runs_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-while-it-runs.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_deadline_while_it_waits_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-while-it-waits.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_long_until_the_response_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/long-until-the-response.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_long_without_a_response_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/long-without-a-response.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_none_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/none.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_slot_is_freed_too_late_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/slot-is-freed-too-late.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_slot_is_freed_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/slot-is-freed.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_synchronous_from_its_arrival_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/synchronous-from-its-arrival.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_usual_one_is_a_minute_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/usual-one-is-a-minute.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_waiting_is_charged_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/waiting-is-charged.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_waiting_is_not_charged_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/waiting-is-not-charged.json"
};
static const unsigned char file_Scenarios_connection_limits_time_outs_whole_transfer_json[] = {
#embed "../../Scenarios/connection-limits/time-outs/whole-transfer.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_answer_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/answer-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_at_the_same_instant_json[] = {
#embed "../../Scenarios/connection-limits/transitions/at-the-same-instant.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_away_and_back_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/away-and-back-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_background_and_return_json[] = {
#embed "../../Scenarios/connection-limits/transitions/background-and-return.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_callback_without_a_change_json[] = {
#embed "../../Scenarios/connection-limits/transitions/callback-without-a-change.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_cellular_to_none_json[] = {
#embed "../../Scenarios/connection-limits/transitions/cellular-to-none.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_cellular_to_wifi_json[] = {
#embed "../../Scenarios/connection-limits/transitions/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_deadline_of_a_poll_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/deadline-of-a-poll-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_enqueue_json[] = {
#embed "../../Scenarios/connection-limits/transitions/enqueue.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_every_endpoint_is_hit_json[] = {
#embed "../../Scenarios/connection-limits/transitions/every-endpoint-is-hit.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_fail_json[] = {
#embed "../../Scenarios/connection-limits/transitions/fail.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_gone_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/gone-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_hotspot_change_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/hotspot-change-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_hotspot_change_json[] = {
#embed "../../Scenarios/connection-limits/transitions/hotspot-change.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_http2_json[] = {
#embed "../../Scenarios/connection-limits/transitions/http2.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_idle_connections_go_json[] = {
#embed "../../Scenarios/connection-limits/transitions/idle-connections-go.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_ignore_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/ignore-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_ignore_to_none_json[] = {
#embed "../../Scenarios/connection-limits/transitions/ignore-to-none.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_ignore_json[] = {
#embed "../../Scenarios/connection-limits/transitions/ignore.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_less_than_the_total_json[] = {
#embed "../../Scenarios/connection-limits/transitions/less-than-the-total.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_limit_holds_after_it_json[] = {
#embed "../../Scenarios/connection-limits/transitions/limit-holds-after-it.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_limit_lowered_before_it_json[] = {
#embed "../../Scenarios/connection-limits/transitions/limit-lowered-before-it.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_none_to_cellular_json[] = {
#embed "../../Scenarios/connection-limits/transitions/none-to-cellular.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_none_to_wifi_json[] = {
#embed "../../Scenarios/connection-limits/transitions/none-to-wifi.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_poll_across_a_gap_json[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-across-a-gap.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_poll_at_rest_json[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-at-rest.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_poll_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_poll_into_none_json[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-into-none.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_poll_that_waits_json[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-that-waits.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_poll_under_way_json[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-under-way.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_synchronous_is_woken_json[] = {
#embed "../../Scenarios/connection-limits/transitions/synchronous-is-woken.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_take_spare_to_none_json[] = {
#embed "../../Scenarios/connection-limits/transitions/take-spare-to-none.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_take_spare_json[] = {
#embed "../../Scenarios/connection-limits/transitions/take-spare.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_throw_json[] = {
#embed "../../Scenarios/connection-limits/transitions/throw.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_time_out_in_the_background_json[] = {
#embed "../../Scenarios/connection-limits/transitions/time-out-in-the-background.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_twice_in_a_row_json[] = {
#embed "../../Scenarios/connection-limits/transitions/twice-in-a-row.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_two_dispatchers_json[] = {
#embed "../../Scenarios/connection-limits/transitions/two-dispatchers.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_waiting_and_timed_out_json[] = {
#embed "../../Scenarios/connection-limits/transitions/waiting-and-timed-out.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_waiting_is_charged_across_it_json[] = {
#embed "../../Scenarios/connection-limits/transitions/waiting-is-charged-across-it.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_websockets_are_lost_json[] = {
#embed "../../Scenarios/connection-limits/transitions/websockets-are-lost.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_while_connecting_json[] = {
#embed "../../Scenarios/connection-limits/transitions/while-connecting.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_wifi_none_wifi_json[] = {
#embed "../../Scenarios/connection-limits/transitions/wifi-none-wifi.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_wifi_to_cellular_json[] = {
#embed "../../Scenarios/connection-limits/transitions/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_connection_limits_transitions_wifi_to_none_json[] = {
#embed "../../Scenarios/connection-limits/transitions/wifi-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_cache_cellular_to_none_json[] = {
#embed "../../Scenarios/interceptors/cache/cellular-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_cache_cellular_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/cache/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_cache_none_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/cache/none-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_cache_none_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/cache/none-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_cache_wifi_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/cache/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_cache_wifi_to_none_json[] = {
#embed "../../Scenarios/interceptors/cache/wifi-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_chain_bidi_json[] = {
#embed "../../Scenarios/interceptors/chain/bidi.json"
};
static const unsigned char file_Scenarios_interceptors_chain_cancel_and_transition_json[] = {
#embed "../../Scenarios/interceptors/chain/cancel-and-transition.json"
};
static const unsigned char file_Scenarios_interceptors_chain_cancel_before_the_start_json[] = {
#embed "../../Scenarios/interceptors/chain/cancel-before-the-start.json"
};
static const unsigned char file_Scenarios_interceptors_chain_cancel_is_forwarded_json[] = {
#embed "../../Scenarios/interceptors/chain/cancel-is-forwarded.json"
};
static const unsigned char file_Scenarios_interceptors_chain_cancel_while_it_waits_json[] = {
#embed "../../Scenarios/interceptors/chain/cancel-while-it-waits.json"
};
static const unsigned char file_Scenarios_interceptors_chain_cancel_words_of_the_transport_json[] = {
#embed "../../Scenarios/interceptors/chain/cancel-words-of-the-transport.json"
};
static const unsigned char file_Scenarios_interceptors_chain_cancel_json[] = {
#embed "../../Scenarios/interceptors/chain/cancel.json"
};
static const unsigned char file_Scenarios_interceptors_chain_close_is_swallowed_json[] = {
#embed "../../Scenarios/interceptors/chain/close-is-swallowed.json"
};
static const unsigned char file_Scenarios_interceptors_chain_closes_twice_json[] = {
#embed "../../Scenarios/interceptors/chain/closes-twice.json"
};
static const unsigned char file_Scenarios_interceptors_chain_does_not_shut_down_json[] = {
#embed "../../Scenarios/interceptors/chain/does-not-shut-down.json"
};
static const unsigned char file_Scenarios_interceptors_chain_eager_short_circuit_json[] = {
#embed "../../Scenarios/interceptors/chain/eager-short-circuit.json"
};
static const unsigned char file_Scenarios_interceptors_chain_factory_makes_nothing_json[] = {
#embed "../../Scenarios/interceptors/chain/factory-makes-nothing.json"
};
static const unsigned char file_Scenarios_interceptors_chain_first_made_with_the_call_json[] = {
#embed "../../Scenarios/interceptors/chain/first-made-with-the-call.json"
};
static const unsigned char file_Scenarios_interceptors_chain_flow_control_and_failure_json[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-and-failure.json"
};
static const unsigned char file_Scenarios_interceptors_chain_flow_control_early_json[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-early.json"
};
static const unsigned char file_Scenarios_interceptors_chain_flow_control_holds_the_close_json[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-holds-the-close.json"
};
static const unsigned char file_Scenarios_interceptors_chain_flow_control_off_json[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-off.json"
};
static const unsigned char file_Scenarios_interceptors_chain_flow_control_json[] = {
#embed "../../Scenarios/interceptors/chain/flow-control.json"
};
static const unsigned char file_Scenarios_interceptors_chain_global_comes_last_json[] = {
#embed "../../Scenarios/interceptors/chain/global-comes-last.json"
};
static const unsigned char file_Scenarios_interceptors_chain_global_is_off_json[] = {
#embed "../../Scenarios/interceptors/chain/global-is-off.json"
};
static const unsigned char file_Scenarios_interceptors_chain_hijack_json[] = {
#embed "../../Scenarios/interceptors/chain/hijack.json"
};
static const unsigned char file_Scenarios_interceptors_chain_leaves_the_next_running_json[] = {
#embed "../../Scenarios/interceptors/chain/leaves-the-next-running.json"
};
static const unsigned char file_Scenarios_interceptors_chain_legacy_call_json[] = {
#embed "../../Scenarios/interceptors/chain/legacy-call.json"
};
static const unsigned char file_Scenarios_interceptors_chain_made_at_once_json[] = {
#embed "../../Scenarios/interceptors/chain/made-at-once.json"
};
static const unsigned char file_Scenarios_interceptors_chain_made_when_first_needed_json[] = {
#embed "../../Scenarios/interceptors/chain/made-when-first-needed.json"
};
static const unsigned char file_Scenarios_interceptors_chain_made_when_needed_json[] = {
#embed "../../Scenarios/interceptors/chain/made-when-needed.json"
};
static const unsigned char file_Scenarios_interceptors_chain_made_when_the_call_starts_json[] = {
#embed "../../Scenarios/interceptors/chain/made-when-the-call-starts.json"
};
static const unsigned char file_Scenarios_interceptors_chain_made_with_the_call_json[] = {
#embed "../../Scenarios/interceptors/chain/made-with-the-call.json"
};
static const unsigned char file_Scenarios_interceptors_chain_marshaller_fails_json[] = {
#embed "../../Scenarios/interceptors/chain/marshaller-fails.json"
};
static const unsigned char file_Scenarios_interceptors_chain_marshaller_json[] = {
#embed "../../Scenarios/interceptors/chain/marshaller.json"
};
static const unsigned char file_Scenarios_interceptors_chain_message_after_the_close_json[] = {
#embed "../../Scenarios/interceptors/chain/message-after-the-close.json"
};
static const unsigned char file_Scenarios_interceptors_chain_metadata_after_a_message_json[] = {
#embed "../../Scenarios/interceptors/chain/metadata-after-a-message.json"
};
static const unsigned char file_Scenarios_interceptors_chain_metadata_with_the_first_message_json[] = {
#embed "../../Scenarios/interceptors/chain/metadata-with-the-first-message.json"
};
static const unsigned char file_Scenarios_interceptors_chain_no_factory_makes_anything_json[] = {
#embed "../../Scenarios/interceptors/chain/no-factory-makes-anything.json"
};
static const unsigned char file_Scenarios_interceptors_chain_order_json[] = {
#embed "../../Scenarios/interceptors/chain/order.json"
};
static const unsigned char file_Scenarios_interceptors_chain_queues_concurrent_json[] = {
#embed "../../Scenarios/interceptors/chain/queues-concurrent.json"
};
static const unsigned char file_Scenarios_interceptors_chain_queues_own_json[] = {
#embed "../../Scenarios/interceptors/chain/queues-own.json"
};
static const unsigned char file_Scenarios_interceptors_chain_queues_separate_json[] = {
#embed "../../Scenarios/interceptors/chain/queues-separate.json"
};
static const unsigned char file_Scenarios_interceptors_chain_queues_shared_json[] = {
#embed "../../Scenarios/interceptors/chain/queues-shared.json"
};
static const unsigned char file_Scenarios_interceptors_chain_requests_after_the_end_json[] = {
#embed "../../Scenarios/interceptors/chain/requests-after-the-end.json"
};
static const unsigned char file_Scenarios_interceptors_chain_requests_out_of_order_json[] = {
#embed "../../Scenarios/interceptors/chain/requests-out-of-order.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_channel_options_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-channel-options.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_deadline_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-deadline.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_fail_fast_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-fail-fast.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_flow_control_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-flow-control.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_headers_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-headers.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_host_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-host.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_interceptors_lazily_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-interceptors-lazily.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_interceptors_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-interceptors.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_messages_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-messages.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_path_for_the_server_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-path-for-the-server.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_path_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-path.json"
};
static const unsigned char file_Scenarios_interceptors_chain_rewrite_verb_json[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-verb.json"
};
static const unsigned char file_Scenarios_interceptors_chain_several_writes_json[] = {
#embed "../../Scenarios/interceptors/chain/several-writes.json"
};
static const unsigned char file_Scenarios_interceptors_chain_shuts_down_early_json[] = {
#embed "../../Scenarios/interceptors/chain/shuts-down-early.json"
};
static const unsigned char file_Scenarios_interceptors_chain_starts_twice_json[] = {
#embed "../../Scenarios/interceptors/chain/starts-twice.json"
};
static const unsigned char file_Scenarios_interceptors_chain_state_of_one_call_json[] = {
#embed "../../Scenarios/interceptors/chain/state-of-one-call.json"
};
static const unsigned char file_Scenarios_interceptors_chain_suspended_as_calls_start_json[] = {
#embed "../../Scenarios/interceptors/chain/suspended-as-calls-start.json"
};
static const unsigned char file_Scenarios_interceptors_chain_turns_drawn_json[] = {
#embed "../../Scenarios/interceptors/chain/turns-drawn.json"
};
static const unsigned char file_Scenarios_interceptors_chain_unary_across_a_change_json[] = {
#embed "../../Scenarios/interceptors/chain/unary-across-a-change.json"
};
static const unsigned char file_Scenarios_interceptors_chain_writes_before_the_start_json[] = {
#embed "../../Scenarios/interceptors/chain/writes-before-the-start.json"
};
static const unsigned char file_Scenarios_interceptors_logging_cellular_to_none_json[] = {
#embed "../../Scenarios/interceptors/logging/cellular-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_logging_cellular_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/logging/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_logging_none_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/logging/none-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_logging_none_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/logging/none-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_logging_wifi_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/logging/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_logging_wifi_to_none_json[] = {
#embed "../../Scenarios/interceptors/logging/wifi-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_metrics_cellular_to_none_json[] = {
#embed "../../Scenarios/interceptors/metrics/cellular-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_metrics_cellular_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/metrics/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_metrics_none_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/metrics/none-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_metrics_none_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/metrics/none-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_metrics_wifi_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/metrics/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_metrics_wifi_to_none_json[] = {
#embed "../../Scenarios/interceptors/metrics/wifi-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_mock_cellular_to_none_json[] = {
#embed "../../Scenarios/interceptors/mock/cellular-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_mock_cellular_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/mock/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_mock_none_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/mock/none-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_mock_none_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/mock/none-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_mock_wifi_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/mock/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_mock_wifi_to_none_json[] = {
#embed "../../Scenarios/interceptors/mock/wifi-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_retry_cellular_to_none_json[] = {
#embed "../../Scenarios/interceptors/retry/cellular-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_retry_cellular_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/retry/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_retry_deadline_json[] = {
#embed "../../Scenarios/interceptors/retry/deadline.json"
};
static const unsigned char file_Scenarios_interceptors_retry_none_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/retry/none-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_retry_none_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/retry/none-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_retry_request_may_have_been_processed_json[] = {
#embed "../../Scenarios/interceptors/retry/request-may-have-been-processed.json"
};
static const unsigned char file_Scenarios_interceptors_retry_wifi_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/retry/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_retry_wifi_to_none_json[] = {
#embed "../../Scenarios/interceptors/retry/wifi-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_token_cellular_to_none_json[] = {
#embed "../../Scenarios/interceptors/token/cellular-to-none.json"
};
static const unsigned char file_Scenarios_interceptors_token_cellular_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/token/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_token_none_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/token/none-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_token_none_to_wifi_json[] = {
#embed "../../Scenarios/interceptors/token/none-to-wifi.json"
};
static const unsigned char file_Scenarios_interceptors_token_wifi_to_cellular_json[] = {
#embed "../../Scenarios/interceptors/token/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_interceptors_token_wifi_to_none_json[] = {
#embed "../../Scenarios/interceptors/token/wifi-to-none.json"
};
static const unsigned char file_Scenarios_keepalive_answer_comes_too_late_json[] = {
#embed "../../Scenarios/keepalive/answer-comes-too-late.json"
};
static const unsigned char file_Scenarios_keepalive_any_byte_answers_a_ping_json[] = {
#embed "../../Scenarios/keepalive/any-byte-answers-a-ping.json"
};
static const unsigned char file_Scenarios_keepalive_any_byte_answers_json[] = {
#embed "../../Scenarios/keepalive/any-byte-answers.json"
};
static const unsigned char file_Scenarios_keepalive_cellular_to_wifi_json[] = {
#embed "../../Scenarios/keepalive/cellular-to-wifi.json"
};
static const unsigned char file_Scenarios_keepalive_end_of_requests_is_data_json[] = {
#embed "../../Scenarios/keepalive/end-of-requests-is-data.json"
};
static const unsigned char file_Scenarios_keepalive_hotspot_change_in_the_background_json[] = {
#embed "../../Scenarios/keepalive/hotspot-change-in-the-background.json"
};
static const unsigned char file_Scenarios_keepalive_messages_of_a_cancelled_call_json[] = {
#embed "../../Scenarios/keepalive/messages-of-a-cancelled-call.json"
};
static const unsigned char file_Scenarios_keepalive_no_call_no_ping_json[] = {
#embed "../../Scenarios/keepalive/no-call-no-ping.json"
};
static const unsigned char file_Scenarios_keepalive_options_of_a_call_json[] = {
#embed "../../Scenarios/keepalive/options-of-a-call.json"
};
static const unsigned char file_Scenarios_keepalive_overdue_ping_json[] = {
#embed "../../Scenarios/keepalive/overdue-ping.json"
};
static const unsigned char file_Scenarios_keepalive_ping_meets_a_later_outage_json[] = {
#embed "../../Scenarios/keepalive/ping-meets-a-later-outage.json"
};
static const unsigned char file_Scenarios_keepalive_ping_starts_the_clock_json[] = {
#embed "../../Scenarios/keepalive/ping-starts-the-clock.json"
};
static const unsigned char file_Scenarios_keepalive_ping_unanswered_json[] = {
#embed "../../Scenarios/keepalive/ping-unanswered.json"
};
static const unsigned char file_Scenarios_keepalive_ping_under_way_at_sleep_waits_again_json[] = {
#embed "../../Scenarios/keepalive/ping-under-way-at-sleep-waits-again.json"
};
static const unsigned char file_Scenarios_keepalive_ping_under_way_at_sleep_json[] = {
#embed "../../Scenarios/keepalive/ping-under-way-at-sleep.json"
};
static const unsigned char file_Scenarios_keepalive_ping_without_calls_json[] = {
#embed "../../Scenarios/keepalive/ping-without-calls.json"
};
static const unsigned char file_Scenarios_keepalive_proxy_swallows_old_connections_json[] = {
#embed "../../Scenarios/keepalive/proxy-swallows-old-connections.json"
};
static const unsigned char file_Scenarios_keepalive_reset_is_no_data_json[] = {
#embed "../../Scenarios/keepalive/reset-is-no-data.json"
};
static const unsigned char file_Scenarios_keepalive_server_falls_silent_json[] = {
#embed "../../Scenarios/keepalive/server-falls-silent.json"
};
static const unsigned char file_Scenarios_keepalive_two_pings_without_data_json[] = {
#embed "../../Scenarios/keepalive/two-pings-without-data.json"
};
static const unsigned char file_Scenarios_keepalive_with_and_without_json[] = {
#embed "../../Scenarios/keepalive/with-and-without.json"
};
static const unsigned char file_Scenarios_keepalive_without_it_the_hotspot_change_stays_json[] = {
#embed "../../Scenarios/keepalive/without-it-the-hotspot-change-stays.json"
};
static const unsigned char file_Scenarios_monitor_callback_late_for_a_healthy_connection_json[] = {
#embed "../../Scenarios/monitor/callback-late-for-a-healthy-connection.json"
};
static const unsigned char file_Scenarios_monitor_callback_late_json[] = {
#embed "../../Scenarios/monitor/callback-late.json"
};
static const unsigned char file_Scenarios_monitor_callback_lost_and_made_good_json[] = {
#embed "../../Scenarios/monitor/callback-lost-and-made-good.json"
};
static const unsigned char file_Scenarios_monitor_callback_takes_time_json[] = {
#embed "../../Scenarios/monitor/callback-takes-time.json"
};
static const unsigned char file_Scenarios_monitor_callback_twice_json[] = {
#embed "../../Scenarios/monitor/callback-twice.json"
};
static const unsigned char file_Scenarios_monitor_deaf_json[] = {
#embed "../../Scenarios/monitor/deaf.json"
};
static const unsigned char file_Scenarios_monitor_flags_of_their_own_json[] = {
#embed "../../Scenarios/monitor/flags-of-their-own.json"
};
static const unsigned char file_Scenarios_monitor_initial_read_is_silent_json[] = {
#embed "../../Scenarios/monitor/initial-read-is-silent.json"
};
static const unsigned char file_Scenarios_monitor_local_address_on_cellular_json[] = {
#embed "../../Scenarios/monitor/local-address-on-cellular.json"
};
static const unsigned char file_Scenarios_monitor_none_to_cellular_json[] = {
#embed "../../Scenarios/monitor/none-to-cellular.json"
};
static const unsigned char file_Scenarios_monitor_none_to_wifi_json[] = {
#embed "../../Scenarios/monitor/none-to-wifi.json"
};
static const unsigned char file_Scenarios_monitor_notification_names_both_categories_json[] = {
#embed "../../Scenarios/monitor/notification-names-both-categories.json"
};
static const unsigned char file_Scenarios_monitor_on_linux_another_category_json[] = {
#embed "../../Scenarios/monitor/on-linux-another-category.json"
};
static const unsigned char file_Scenarios_monitor_on_linux_another_hotspot_json[] = {
#embed "../../Scenarios/monitor/on-linux-another-hotspot.json"
};
static const unsigned char file_Scenarios_monitor_other_flags_are_ignored_json[] = {
#embed "../../Scenarios/monitor/other-flags-are-ignored.json"
};
static const unsigned char file_Scenarios_monitor_overrun_hides_a_round_trip_json[] = {
#embed "../../Scenarios/monitor/overrun-hides-a-round-trip.json"
};
static const unsigned char file_Scenarios_monitor_overrun_reads_afresh_json[] = {
#embed "../../Scenarios/monitor/overrun-reads-afresh.json"
};
static const unsigned char file_Scenarios_monitor_table_000_none_json[] = {
#embed "../../Scenarios/monitor/table-000-none.json"
};
static const unsigned char file_Scenarios_monitor_table_001_none_json[] = {
#embed "../../Scenarios/monitor/table-001-none.json"
};
static const unsigned char file_Scenarios_monitor_table_010_none_json[] = {
#embed "../../Scenarios/monitor/table-010-none.json"
};
static const unsigned char file_Scenarios_monitor_table_011_none_json[] = {
#embed "../../Scenarios/monitor/table-011-none.json"
};
static const unsigned char file_Scenarios_monitor_table_100_wifi_json[] = {
#embed "../../Scenarios/monitor/table-100-wifi.json"
};
static const unsigned char file_Scenarios_monitor_table_101_cellular_json[] = {
#embed "../../Scenarios/monitor/table-101-cellular.json"
};
static const unsigned char file_Scenarios_monitor_table_110_none_json[] = {
#embed "../../Scenarios/monitor/table-110-none.json"
};
static const unsigned char file_Scenarios_monitor_table_111_none_json[] = {
#embed "../../Scenarios/monitor/table-111-none.json"
};
static const unsigned char file_Scenarios_monitor_two_callbacks_in_one_instant_json[] = {
#embed "../../Scenarios/monitor/two-callbacks-in-one-instant.json"
};
static const unsigned char file_Scenarios_monitor_two_networks_delay_a_callback_json[] = {
#embed "../../Scenarios/monitor/two-networks-delay-a-callback.json"
};
static const unsigned char file_Scenarios_monitor_two_networks_miss_a_callback_json[] = {
#embed "../../Scenarios/monitor/two-networks-miss-a-callback.json"
};
static const unsigned char file_Scenarios_monitor_unknown_start_to_cellular_json[] = {
#embed "../../Scenarios/monitor/unknown-start-to-cellular.json"
};
static const unsigned char file_Scenarios_monitor_unknown_start_to_none_json[] = {
#embed "../../Scenarios/monitor/unknown-start-to-none.json"
};
static const unsigned char file_Scenarios_monitor_unknown_start_to_wifi_json[] = {
#embed "../../Scenarios/monitor/unknown-start-to-wifi.json"
};
static const unsigned char file_Scenarios_monitor_up_and_down_at_one_instant_json[] = {
#embed "../../Scenarios/monitor/up-and-down-at-one-instant.json"
};
static const unsigned char file_Scenarios_moves_dhcp_renewal_json[] = {
#embed "../../Scenarios/moves/dhcp-renewal.json"
};
static const unsigned char file_Scenarios_moves_ipv6_dies_json[] = {
#embed "../../Scenarios/moves/ipv6-dies.json"
};
static const unsigned char file_Scenarios_moves_lift_json[] = {
#embed "../../Scenarios/moves/lift.json"
};
static const unsigned char file_Scenarios_moves_proxy_json[] = {
#embed "../../Scenarios/moves/proxy.json"
};
static const unsigned char file_Scenarios_moves_train_json[] = {
#embed "../../Scenarios/moves/train.json"
};
static const unsigned char file_Scenarios_moves_vpn_down_json[] = {
#embed "../../Scenarios/moves/vpn-down.json"
};
static const unsigned char file_Scenarios_moves_vpn_up_json[] = {
#embed "../../Scenarios/moves/vpn-up.json"
};
static const unsigned char file_Scenarios_moves_walk_out_json[] = {
#embed "../../Scenarios/moves/walk-out.json"
};
static const unsigned char file_Scenarios_names_look_up_ends_without_a_network_json[] = {
#embed "../../Scenarios/names/look-up-ends-without-a-network.json"
};
static const unsigned char file_Scenarios_names_look_up_outlives_a_hotspot_json[] = {
#embed "../../Scenarios/names/look-up-outlives-a-hotspot.json"
};
static const unsigned char file_Scenarios_names_look_up_outlives_its_path_json[] = {
#embed "../../Scenarios/names/look-up-outlives-its-path.json"
};
static const unsigned char file_Scenarios_names_open_connection_needs_no_name_json[] = {
#embed "../../Scenarios/names/open-connection-needs-no-name.json"
};
static const unsigned char file_Scenarios_names_resolution_fails_at_first_json[] = {
#embed "../../Scenarios/names/resolution-fails-at-first.json"
};
static const unsigned char file_Scenarios_names_resolution_fails_json[] = {
#embed "../../Scenarios/names/resolution-fails.json"
};
static const unsigned char file_Scenarios_names_resolution_hangs_json[] = {
#embed "../../Scenarios/names/resolution-hangs.json"
};
static const unsigned char file_Scenarios_names_resolution_never_answers_json[] = {
#embed "../../Scenarios/names/resolution-never-answers.json"
};
static const unsigned char file_Scenarios_networks_airplane_mode_with_ethernet_json[] = {
#embed "../../Scenarios/networks/airplane-mode-with-ethernet.json"
};
static const unsigned char file_Scenarios_networks_airplane_mode_json[] = {
#embed "../../Scenarios/networks/airplane-mode.json"
};
static const unsigned char file_Scenarios_networks_intranet_over_another_network_json[] = {
#embed "../../Scenarios/networks/intranet-over-another-network.json"
};
static const unsigned char file_Scenarios_networks_linger_ends_json[] = {
#embed "../../Scenarios/networks/linger-ends.json"
};
static const unsigned char file_Scenarios_networks_linger_is_cancelled_json[] = {
#embed "../../Scenarios/networks/linger-is-cancelled.json"
};
static const unsigned char file_Scenarios_networks_overrun_between_up_and_down_json[] = {
#embed "../../Scenarios/networks/overrun-between-up-and-down.json"
};
static const unsigned char file_Scenarios_networks_portal_json[] = {
#embed "../../Scenarios/networks/portal.json"
};
static const unsigned char file_Scenarios_networks_rebound_during_an_outage_json[] = {
#embed "../../Scenarios/networks/rebound-during-an-outage.json"
};
static const unsigned char file_Scenarios_networks_same_address_roam_json[] = {
#embed "../../Scenarios/networks/same-address-roam.json"
};
static const unsigned char file_Scenarios_networks_unknown_flows_are_reset_json[] = {
#embed "../../Scenarios/networks/unknown-flows-are-reset.json"
};
static const unsigned char file_Scenarios_networks_vpn_takes_all_traffic_json[] = {
#embed "../../Scenarios/networks/vpn-takes-all-traffic.json"
};
static const unsigned char file_Scenarios_networks_wifi_in_airplane_mode_json[] = {
#embed "../../Scenarios/networks/wifi-in-airplane-mode.json"
};
static const unsigned char file_Scenarios_okhttp_attempt_without_answer_ends_after_ten_seconds_json[] = {
#embed "../../Scenarios/okhttp/attempt-without-answer-ends-after-ten-seconds.json"
};
static const unsigned char file_Scenarios_okhttp_each_pooled_connection_hangs_once_json[] = {
#embed "../../Scenarios/okhttp/each-pooled-connection-hangs-once.json"
};
static const unsigned char file_Scenarios_okhttp_five_idle_connections_json[] = {
#embed "../../Scenarios/okhttp/five-idle-connections.json"
};
static const unsigned char file_Scenarios_okhttp_get_on_a_closed_connection_is_repeated_json[] = {
#embed "../../Scenarios/okhttp/get-on-a-closed-connection-is-repeated.json"
};
static const unsigned char file_Scenarios_okhttp_get_tries_every_closed_connection_json[] = {
#embed "../../Scenarios/okhttp/get-tries-every-closed-connection.json"
};
static const unsigned char file_Scenarios_okhttp_idle_limit_counts_all_hosts_json[] = {
#embed "../../Scenarios/okhttp/idle-limit-counts-all-hosts.json"
};
static const unsigned char file_Scenarios_okhttp_idle_time_starts_again_json[] = {
#embed "../../Scenarios/okhttp/idle-time-starts-again.json"
};
static const unsigned char file_Scenarios_okhttp_lost_response_is_not_repeated_json[] = {
#embed "../../Scenarios/okhttp/lost-response-is-not-repeated.json"
};
static const unsigned char file_Scenarios_okhttp_no_network_and_no_backoff_json[] = {
#embed "../../Scenarios/okhttp/no-network-and-no-backoff.json"
};
static const unsigned char file_Scenarios_okhttp_one_shot_body_is_not_repeated_json[] = {
#embed "../../Scenarios/okhttp/one-shot-body-is-not-repeated.json"
};
static const unsigned char file_Scenarios_okhttp_pooled_connection_of_the_old_network_hangs_json[] = {
#embed "../../Scenarios/okhttp/pooled-connection-of-the-old-network-hangs.json"
};
static const unsigned char file_Scenarios_okhttp_probe_after_ten_idle_seconds_json[] = {
#embed "../../Scenarios/okhttp/probe-after-ten-idle-seconds.json"
};
static const unsigned char file_Scenarios_okhttp_repeatable_body_is_repeated_json[] = {
#embed "../../Scenarios/okhttp/repeatable-body-is-repeated.json"
};
static const unsigned char file_Scenarios_okhttp_running_request_hangs_and_is_not_repeated_json[] = {
#embed "../../Scenarios/okhttp/running-request-hangs-and-is-not-repeated.json"
};
static const unsigned char file_Scenarios_order_anybody_hears_first_json[] = {
#embed "../../Scenarios/order/anybody-hears-first.json"
};
static const unsigned char file_Scenarios_order_callback_before_the_next_call_json[] = {
#embed "../../Scenarios/order/callback-before-the-next-call.json"
};
static const unsigned char file_Scenarios_order_calls_hear_first_json[] = {
#embed "../../Scenarios/order/calls-hear-first.json"
};
static const unsigned char file_Scenarios_order_deadline_before_the_answer_json[] = {
#embed "../../Scenarios/order/deadline-before-the-answer.json"
};
static const unsigned char file_Scenarios_order_loss_before_its_callback_json[] = {
#embed "../../Scenarios/order/loss-before-its-callback.json"
};
static const unsigned char file_Scenarios_order_pool_hears_first_json[] = {
#embed "../../Scenarios/order/pool-hears-first.json"
};
static const unsigned char file_Scenarios_order_token_answers_json[] = {
#embed "../../Scenarios/order/token-answers.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_000_json[] = {
#embed "../../Scenarios/pairs/background/000-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_001_json[] = {
#embed "../../Scenarios/pairs/background/000-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_010_json[] = {
#embed "../../Scenarios/pairs/background/000-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_011_json[] = {
#embed "../../Scenarios/pairs/background/000-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_100_json[] = {
#embed "../../Scenarios/pairs/background/000-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_101_json[] = {
#embed "../../Scenarios/pairs/background/000-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_110_json[] = {
#embed "../../Scenarios/pairs/background/000-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_000_to_111_json[] = {
#embed "../../Scenarios/pairs/background/000-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_000_json[] = {
#embed "../../Scenarios/pairs/background/001-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_001_json[] = {
#embed "../../Scenarios/pairs/background/001-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_010_json[] = {
#embed "../../Scenarios/pairs/background/001-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_011_json[] = {
#embed "../../Scenarios/pairs/background/001-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_100_json[] = {
#embed "../../Scenarios/pairs/background/001-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_101_json[] = {
#embed "../../Scenarios/pairs/background/001-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_110_json[] = {
#embed "../../Scenarios/pairs/background/001-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_001_to_111_json[] = {
#embed "../../Scenarios/pairs/background/001-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_000_json[] = {
#embed "../../Scenarios/pairs/background/010-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_001_json[] = {
#embed "../../Scenarios/pairs/background/010-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_010_json[] = {
#embed "../../Scenarios/pairs/background/010-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_011_json[] = {
#embed "../../Scenarios/pairs/background/010-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_100_json[] = {
#embed "../../Scenarios/pairs/background/010-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_101_json[] = {
#embed "../../Scenarios/pairs/background/010-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_110_json[] = {
#embed "../../Scenarios/pairs/background/010-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_010_to_111_json[] = {
#embed "../../Scenarios/pairs/background/010-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_000_json[] = {
#embed "../../Scenarios/pairs/background/011-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_001_json[] = {
#embed "../../Scenarios/pairs/background/011-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_010_json[] = {
#embed "../../Scenarios/pairs/background/011-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_011_json[] = {
#embed "../../Scenarios/pairs/background/011-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_100_json[] = {
#embed "../../Scenarios/pairs/background/011-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_101_json[] = {
#embed "../../Scenarios/pairs/background/011-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_110_json[] = {
#embed "../../Scenarios/pairs/background/011-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_011_to_111_json[] = {
#embed "../../Scenarios/pairs/background/011-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_000_json[] = {
#embed "../../Scenarios/pairs/background/100-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_001_json[] = {
#embed "../../Scenarios/pairs/background/100-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_010_json[] = {
#embed "../../Scenarios/pairs/background/100-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_011_json[] = {
#embed "../../Scenarios/pairs/background/100-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_100_json[] = {
#embed "../../Scenarios/pairs/background/100-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_101_json[] = {
#embed "../../Scenarios/pairs/background/100-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_110_json[] = {
#embed "../../Scenarios/pairs/background/100-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_100_to_111_json[] = {
#embed "../../Scenarios/pairs/background/100-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_000_json[] = {
#embed "../../Scenarios/pairs/background/101-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_001_json[] = {
#embed "../../Scenarios/pairs/background/101-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_010_json[] = {
#embed "../../Scenarios/pairs/background/101-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_011_json[] = {
#embed "../../Scenarios/pairs/background/101-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_100_json[] = {
#embed "../../Scenarios/pairs/background/101-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_101_json[] = {
#embed "../../Scenarios/pairs/background/101-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_110_json[] = {
#embed "../../Scenarios/pairs/background/101-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_101_to_111_json[] = {
#embed "../../Scenarios/pairs/background/101-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_000_json[] = {
#embed "../../Scenarios/pairs/background/110-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_001_json[] = {
#embed "../../Scenarios/pairs/background/110-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_010_json[] = {
#embed "../../Scenarios/pairs/background/110-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_011_json[] = {
#embed "../../Scenarios/pairs/background/110-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_100_json[] = {
#embed "../../Scenarios/pairs/background/110-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_101_json[] = {
#embed "../../Scenarios/pairs/background/110-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_110_json[] = {
#embed "../../Scenarios/pairs/background/110-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_110_to_111_json[] = {
#embed "../../Scenarios/pairs/background/110-to-111.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_000_json[] = {
#embed "../../Scenarios/pairs/background/111-to-000.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_001_json[] = {
#embed "../../Scenarios/pairs/background/111-to-001.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_010_json[] = {
#embed "../../Scenarios/pairs/background/111-to-010.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_011_json[] = {
#embed "../../Scenarios/pairs/background/111-to-011.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_100_json[] = {
#embed "../../Scenarios/pairs/background/111-to-100.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_101_json[] = {
#embed "../../Scenarios/pairs/background/111-to-101.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_110_json[] = {
#embed "../../Scenarios/pairs/background/111-to-110.json"
};
static const unsigned char file_Scenarios_pairs_background_111_to_111_json[] = {
#embed "../../Scenarios/pairs/background/111-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_000_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/000-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_001_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/001-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_010_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/010-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_011_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/011-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_100_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/100-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_101_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/101-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_110_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/110-to-111.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_000_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-000.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_001_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-001.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_010_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-010.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_011_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-011.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_100_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-100.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_101_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-101.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_110_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-110.json"
};
static const unsigned char file_Scenarios_pairs_foreground_111_to_111_json[] = {
#embed "../../Scenarios/pairs/foreground/111-to-111.json"
};
static const unsigned char file_Scenarios_pool_call_after_disconnect_json[] = {
#embed "../../Scenarios/pool/call-after-disconnect.json"
};
static const unsigned char file_Scenarios_pool_call_after_its_channel_is_gone_json[] = {
#embed "../../Scenarios/pool/call-after-its-channel-is-gone.json"
};
static const unsigned char file_Scenarios_pool_call_right_after_disconnect_all_json[] = {
#embed "../../Scenarios/pool/call-right-after-disconnect-all.json"
};
static const unsigned char file_Scenarios_pool_call_within_30s_keeps_its_channel_json[] = {
#embed "../../Scenarios/pool/call-within-30s-keeps-its-channel.json"
};
static const unsigned char file_Scenarios_pool_call_within_30s_starts_the_delay_anew_json[] = {
#embed "../../Scenarios/pool/call-within-30s-starts-the-delay-anew.json"
};
static const unsigned char file_Scenarios_pool_calls_share_a_connection_json[] = {
#embed "../../Scenarios/pool/calls-share-a-connection.json"
};
static const unsigned char file_Scenarios_pool_cancel_of_a_call_from_before_a_disconnect_json[] = {
#embed "../../Scenarios/pool/cancel-of-a-call-from-before-a-disconnect.json"
};
static const unsigned char file_Scenarios_pool_cancel_of_an_ended_call_json[] = {
#embed "../../Scenarios/pool/cancel-of-an-ended-call.json"
};
static const unsigned char file_Scenarios_pool_connects_lazily_json[] = {
#embed "../../Scenarios/pool/connects-lazily.json"
};
static const unsigned char file_Scenarios_pool_disconnect_all_json[] = {
#embed "../../Scenarios/pool/disconnect-all.json"
};
static const unsigned char file_Scenarios_pool_disconnect_one_host_json[] = {
#embed "../../Scenarios/pool/disconnect-one-host.json"
};
static const unsigned char file_Scenarios_pool_disconnect_with_waiting_calls_json[] = {
#embed "../../Scenarios/pool/disconnect-with-waiting-calls.json"
};
static const unsigned char file_Scenarios_pool_disconnect_without_channel_json[] = {
#embed "../../Scenarios/pool/disconnect-without-channel.json"
};
static const unsigned char file_Scenarios_pool_half_a_second_json[] = {
#embed "../../Scenarios/pool/half-a-second.json"
};
static const unsigned char file_Scenarios_pool_long_call_keeps_its_channel_json[] = {
#embed "../../Scenarios/pool/long-call-keeps-its-channel.json"
};
static const unsigned char file_Scenarios_pool_no_port_is_443_json[] = {
#embed "../../Scenarios/pool/no-port-is-443.json"
};
static const unsigned char file_Scenarios_pool_one_host_three_spellings_json[] = {
#embed "../../Scenarios/pool/one-host-three-spellings.json"
};
static const unsigned char file_Scenarios_pool_options_in_the_key_json[] = {
#embed "../../Scenarios/pool/options-in-the-key.json"
};
static const unsigned char file_Scenarios_pool_options_outside_the_key_json[] = {
#embed "../../Scenarios/pool/options-outside-the-key.json"
};
static const unsigned char file_Scenarios_pool_resolver_prefix_is_kept_json[] = {
#embed "../../Scenarios/pool/resolver-prefix-is-kept.json"
};
static const unsigned char file_Scenarios_pool_state_gone_before_anybody_looks_json[] = {
#embed "../../Scenarios/pool/state-gone-before-anybody-looks.json"
};
static const unsigned char file_Scenarios_pool_states_json[] = {
#embed "../../Scenarios/pool/states.json"
};
static const unsigned char file_Scenarios_pool_unused_channel_ends_after_30s_json[] = {
#embed "../../Scenarios/pool/unused-channel-ends-after-30s.json"
};
static const unsigned char file_Scenarios_quality_end_of_a_unary_request_json[] = {
#embed "../../Scenarios/quality/end-of-a-unary-request.json"
};
static const unsigned char file_Scenarios_quality_flaps_round_trip_does_not_fit_json[] = {
#embed "../../Scenarios/quality/flaps-round-trip-does-not-fit.json"
};
static const unsigned char file_Scenarios_quality_flaps_round_trip_fits_json[] = {
#embed "../../Scenarios/quality/flaps-round-trip-fits.json"
};
static const unsigned char file_Scenarios_quality_lossy_link_json[] = {
#embed "../../Scenarios/quality/lossy-link.json"
};
static const unsigned char file_Scenarios_quality_mtu_black_hole_with_keepalive_json[] = {
#embed "../../Scenarios/quality/mtu-black-hole-with-keepalive.json"
};
static const unsigned char file_Scenarios_quality_mtu_black_hole_json[] = {
#embed "../../Scenarios/quality/mtu-black-hole.json"
};
static const unsigned char file_Scenarios_quality_mtu_told_json[] = {
#embed "../../Scenarios/quality/mtu-told.json"
};
static const unsigned char file_Scenarios_quality_narrow_link_json[] = {
#embed "../../Scenarios/quality/narrow-link.json"
};
static const unsigned char file_Scenarios_quality_open_connection_slows_down_json[] = {
#embed "../../Scenarios/quality/open-connection-slows-down.json"
};
static const unsigned char file_Scenarios_quality_queued_messages_share_packets_json[] = {
#embed "../../Scenarios/quality/queued-messages-share-packets.json"
};
static const unsigned char file_Scenarios_quality_slow_link_hasty_keepalive_json[] = {
#embed "../../Scenarios/quality/slow-link-hasty-keepalive.json"
};
static const unsigned char file_Scenarios_quality_slow_link_patient_keepalive_json[] = {
#embed "../../Scenarios/quality/slow-link-patient-keepalive.json"
};
static const unsigned char file_Scenarios_quality_slow_link_json[] = {
#embed "../../Scenarios/quality/slow-link.json"
};
static const unsigned char file_Scenarios_quic_an_identifier_is_left_json[] = {
#embed "../../Scenarios/quic/an-identifier-is-left.json"
};
static const unsigned char file_Scenarios_quic_another_address_json[] = {
#embed "../../Scenarios/quic/another-address.json"
};
static const unsigned char file_Scenarios_quic_another_port_json[] = {
#embed "../../Scenarios/quic/another-port.json"
};
static const unsigned char file_Scenarios_quic_answer_is_read_on_return_json[] = {
#embed "../../Scenarios/quic/answer-is-read-on-return.json"
};
static const unsigned char file_Scenarios_quic_challenge_restarts_the_idle_timeout_json[] = {
#embed "../../Scenarios/quic/challenge-restarts-the-idle-timeout.json"
};
static const unsigned char file_Scenarios_quic_challenged_while_suspended_json[] = {
#embed "../../Scenarios/quic/challenged-while-suspended.json"
};
static const unsigned char file_Scenarios_quic_dead_uplink_json[] = {
#embed "../../Scenarios/quic/dead-uplink.json"
};
static const unsigned char file_Scenarios_quic_handshake_while_suspended_json[] = {
#embed "../../Scenarios/quic/handshake-while-suspended.json"
};
static const unsigned char file_Scenarios_quic_identifiers_used_up_json[] = {
#embed "../../Scenarios/quic/identifiers-used-up.json"
};
static const unsigned char file_Scenarios_quic_limit_reached_json[] = {
#embed "../../Scenarios/quic/limit-reached.json"
};
static const unsigned char file_Scenarios_quic_network_lingers_json[] = {
#embed "../../Scenarios/quic/network-lingers.json"
};
static const unsigned char file_Scenarios_quic_nobody_answers_json[] = {
#embed "../../Scenarios/quic/nobody-answers.json"
};
static const unsigned char file_Scenarios_quic_over_a_slow_network_json[] = {
#embed "../../Scenarios/quic/over-a-slow-network.json"
};
static const unsigned char file_Scenarios_quic_refused_by_the_server_json[] = {
#embed "../../Scenarios/quic/refused-by-the-server.json"
};
static const unsigned char file_Scenarios_quic_stopped_process_sends_nothing_json[] = {
#embed "../../Scenarios/quic/stopped-process-sends-nothing.json"
};
static const unsigned char file_Scenarios_quic_suspended_json[] = {
#embed "../../Scenarios/quic/suspended.json"
};
static const unsigned char file_Scenarios_quic_there_and_back_json[] = {
#embed "../../Scenarios/quic/there-and-back.json"
};
static const unsigned char file_Scenarios_quic_uplink_returns_json[] = {
#embed "../../Scenarios/quic/uplink-returns.json"
};
static const unsigned char file_Scenarios_quic_vpn_takes_all_traffic_json[] = {
#embed "../../Scenarios/quic/vpn-takes-all-traffic.json"
};
static const unsigned char file_Scenarios_quic_who_only_listens_json[] = {
#embed "../../Scenarios/quic/who-only-listens.json"
};
static const unsigned char file_Scenarios_quic_wifi_to_cellular_json[] = {
#embed "../../Scenarios/quic/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_server_closes_json[] = {
#embed "../../Scenarios/server/closes.json"
};
static const unsigned char file_Scenarios_server_falls_silent_json[] = {
#embed "../../Scenarios/server/falls-silent.json"
};
static const unsigned char file_Scenarios_server_goes_away_and_breaks_json[] = {
#embed "../../Scenarios/server/goes-away-and-breaks.json"
};
static const unsigned char file_Scenarios_server_goes_away_json[] = {
#embed "../../Scenarios/server/goes-away.json"
};
static const unsigned char file_Scenarios_server_ignores_calls_after_goaway_json[] = {
#embed "../../Scenarios/server/ignores-calls-after-goaway.json"
};
static const unsigned char file_Scenarios_server_read_twice_json[] = {
#embed "../../Scenarios/server/read-twice.json"
};
static const unsigned char file_Scenarios_server_reads_again_json[] = {
#embed "../../Scenarios/server/reads-again.json"
};
static const unsigned char file_Scenarios_server_refuses_the_new_keeps_the_old_json[] = {
#embed "../../Scenarios/server/refuses-the-new-keeps-the-old.json"
};
static const unsigned char file_Scenarios_server_requests_over_each_network_json[] = {
#embed "../../Scenarios/server/requests-over-each-network.json"
};
static const unsigned char file_Scenarios_server_resets_json[] = {
#embed "../../Scenarios/server/resets.json"
};
static const unsigned char file_Scenarios_server_silent_is_no_stall_json[] = {
#embed "../../Scenarios/server/silent-is-no-stall.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_awaiting_token_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_awaiting_token_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_awaiting_token_no_channel_json[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-no-channel.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_awaiting_token_ready_json[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-ready.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_awaiting_token_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-transient-failure.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_no_call_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-none-no-call-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_no_call_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-none-no-call-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_no_call_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-none-no-call-transient-failure.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_running_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-none-running-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_running_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-none-running-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_running_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-none-running-transient-failure.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_waiting_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-none-waiting-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_waiting_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-none-waiting-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_none_waiting_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-none-waiting-transient-failure.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_awaiting_token_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_awaiting_token_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_awaiting_token_no_channel_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-no-channel.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_awaiting_token_ready_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-ready.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_awaiting_token_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-transient-failure.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_no_call_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-no-call-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_no_call_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-no-call-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_running_connecting_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-running-connecting.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_running_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-running-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_running_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-running-transient-failure.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_waiting_idle_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-waiting-idle.json"
};
static const unsigned char file_Scenarios_space_cellular_to_wifi_waiting_transient_failure_json[] = {
#embed "../../Scenarios/space/cellular-to-wifi-waiting-transient-failure.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_awaiting_token_connecting_json[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_awaiting_token_idle_json[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_awaiting_token_no_channel_json[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-no-channel.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_awaiting_token_ready_json[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-ready.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_awaiting_token_transient_failure_json[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-transient-failure.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_no_call_connecting_json[] = {
#embed "../../Scenarios/space/none-to-cellular-no-call-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_no_call_idle_json[] = {
#embed "../../Scenarios/space/none-to-cellular-no-call-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_no_call_ready_json[] = {
#embed "../../Scenarios/space/none-to-cellular-no-call-ready.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_running_connecting_json[] = {
#embed "../../Scenarios/space/none-to-cellular-running-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_running_idle_json[] = {
#embed "../../Scenarios/space/none-to-cellular-running-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_running_ready_json[] = {
#embed "../../Scenarios/space/none-to-cellular-running-ready.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_running_transient_failure_json[] = {
#embed "../../Scenarios/space/none-to-cellular-running-transient-failure.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_waiting_connecting_json[] = {
#embed "../../Scenarios/space/none-to-cellular-waiting-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_cellular_waiting_idle_json[] = {
#embed "../../Scenarios/space/none-to-cellular-waiting-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_awaiting_token_connecting_json[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_awaiting_token_idle_json[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_awaiting_token_no_channel_json[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-no-channel.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_awaiting_token_ready_json[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-ready.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_awaiting_token_transient_failure_json[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-transient-failure.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_no_call_connecting_json[] = {
#embed "../../Scenarios/space/none-to-wifi-no-call-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_no_call_idle_json[] = {
#embed "../../Scenarios/space/none-to-wifi-no-call-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_no_call_ready_json[] = {
#embed "../../Scenarios/space/none-to-wifi-no-call-ready.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_running_connecting_json[] = {
#embed "../../Scenarios/space/none-to-wifi-running-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_running_idle_json[] = {
#embed "../../Scenarios/space/none-to-wifi-running-idle.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_running_ready_json[] = {
#embed "../../Scenarios/space/none-to-wifi-running-ready.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_running_transient_failure_json[] = {
#embed "../../Scenarios/space/none-to-wifi-running-transient-failure.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_waiting_connecting_json[] = {
#embed "../../Scenarios/space/none-to-wifi-waiting-connecting.json"
};
static const unsigned char file_Scenarios_space_none_to_wifi_waiting_idle_json[] = {
#embed "../../Scenarios/space/none-to-wifi-waiting-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_awaiting_token_connecting_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-connecting.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_awaiting_token_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_awaiting_token_no_channel_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-no-channel.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_awaiting_token_transient_failure_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-transient-failure.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_no_call_connecting_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-no-call-connecting.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_no_call_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-no-call-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_running_connecting_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-running-connecting.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_running_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-running-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_running_transient_failure_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-running-transient-failure.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_waiting_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-waiting-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_cellular_waiting_transient_failure_json[] = {
#embed "../../Scenarios/space/wifi-to-cellular-waiting-transient-failure.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_awaiting_token_connecting_json[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-connecting.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_awaiting_token_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_awaiting_token_no_channel_json[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-no-channel.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_awaiting_token_ready_json[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-ready.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_awaiting_token_transient_failure_json[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-transient-failure.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_no_call_connecting_json[] = {
#embed "../../Scenarios/space/wifi-to-none-no-call-connecting.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_no_call_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-none-no-call-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_running_connecting_json[] = {
#embed "../../Scenarios/space/wifi-to-none-running-connecting.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_running_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-none-running-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_running_transient_failure_json[] = {
#embed "../../Scenarios/space/wifi-to-none-running-transient-failure.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_waiting_idle_json[] = {
#embed "../../Scenarios/space/wifi-to-none-waiting-idle.json"
};
static const unsigned char file_Scenarios_space_wifi_to_none_waiting_transient_failure_json[] = {
#embed "../../Scenarios/space/wifi-to-none-waiting-transient-failure.json"
};
static const unsigned char file_Scenarios_stalls_acknowledged_and_thrown_away_json[] = {
#embed "../../Scenarios/stalls/acknowledged-and-thrown-away.json"
};
static const unsigned char file_Scenarios_stalls_clock_pauses_during_sleep_json[] = {
#embed "../../Scenarios/stalls/clock-pauses-during-sleep.json"
};
static const unsigned char file_Scenarios_stalls_deadline_starts_the_clock_json[] = {
#embed "../../Scenarios/stalls/deadline-starts-the-clock.json"
};
static const unsigned char file_Scenarios_stalls_five_seconds_json[] = {
#embed "../../Scenarios/stalls/five-seconds.json"
};
static const unsigned char file_Scenarios_stalls_half_closed_json[] = {
#embed "../../Scenarios/stalls/half-closed.json"
};
static const unsigned char file_Scenarios_stalls_killed_json[] = {
#embed "../../Scenarios/stalls/killed.json"
};
static const unsigned char file_Scenarios_stalls_nothing_written_nothing_noticed_json[] = {
#embed "../../Scenarios/stalls/nothing-written-nothing-noticed.json"
};
static const unsigned char file_Scenarios_stalls_quarter_of_an_hour_json[] = {
#embed "../../Scenarios/stalls/quarter-of-an-hour.json"
};
static const unsigned char file_Scenarios_stalls_stall_and_resume_json[] = {
#embed "../../Scenarios/stalls/stall-and-resume.json"
};
static const unsigned char file_Scenarios_stalls_tcp_times_out_json[] = {
#embed "../../Scenarios/stalls/tcp-times-out.json"
};
static const unsigned char file_Scenarios_transitions_airplane_mode_over_cellular_json[] = {
#embed "../../Scenarios/transitions/airplane-mode-over-cellular.json"
};
static const unsigned char file_Scenarios_transitions_away_and_back_json[] = {
#embed "../../Scenarios/transitions/away-and-back.json"
};
static const unsigned char file_Scenarios_transitions_call_started_at_the_same_instant_json[] = {
#embed "../../Scenarios/transitions/call-started-at-the-same-instant.json"
};
static const unsigned char file_Scenarios_transitions_cancel_at_the_same_instant_json[] = {
#embed "../../Scenarios/transitions/cancel-at-the-same-instant.json"
};
static const unsigned char file_Scenarios_transitions_cellular_to_wifi_unfinished_stream_json[] = {
#embed "../../Scenarios/transitions/cellular-to-wifi-unfinished-stream.json"
};
static const unsigned char file_Scenarios_transitions_cellular_to_wifi_unused_connection_json[] = {
#embed "../../Scenarios/transitions/cellular-to-wifi-unused-connection.json"
};
static const unsigned char file_Scenarios_transitions_cellular_to_wifi_while_connecting_json[] = {
#embed "../../Scenarios/transitions/cellular-to-wifi-while-connecting.json"
};
static const unsigned char file_Scenarios_transitions_deadline_at_the_same_instant_json[] = {
#embed "../../Scenarios/transitions/deadline-at-the-same-instant.json"
};
static const unsigned char file_Scenarios_transitions_drains_and_connects_json[] = {
#embed "../../Scenarios/transitions/drains-and-connects.json"
};
static const unsigned char file_Scenarios_transitions_every_change_between_three_json[] = {
#embed "../../Scenarios/transitions/every-change-between-three.json"
};
static const unsigned char file_Scenarios_transitions_every_host_is_hit_json[] = {
#embed "../../Scenarios/transitions/every-host-is-hit.json"
};
static const unsigned char file_Scenarios_transitions_first_call_at_the_same_instant_json[] = {
#embed "../../Scenarios/transitions/first-call-at-the-same-instant.json"
};
static const unsigned char file_Scenarios_transitions_hotspot_change_with_callback_json[] = {
#embed "../../Scenarios/transitions/hotspot-change-with-callback.json"
};
static const unsigned char file_Scenarios_transitions_hotspot_change_json[] = {
#embed "../../Scenarios/transitions/hotspot-change.json"
};
static const unsigned char file_Scenarios_transitions_in_the_longest_backoff_json[] = {
#embed "../../Scenarios/transitions/in-the-longest-backoff.json"
};
static const unsigned char file_Scenarios_transitions_link_left_goes_down_later_json[] = {
#embed "../../Scenarios/transitions/link-left-goes-down-later.json"
};
static const unsigned char file_Scenarios_transitions_link_left_stays_up_json[] = {
#embed "../../Scenarios/transitions/link-left-stays-up.json"
};
static const unsigned char file_Scenarios_transitions_radio_change_json[] = {
#embed "../../Scenarios/transitions/radio-change.json"
};
static const unsigned char file_Scenarios_transitions_wifi_none_wifi_json[] = {
#embed "../../Scenarios/transitions/wifi-none-wifi.json"
};
static const unsigned char file_Scenarios_transitions_wifi_to_cellular_while_connecting_json[] = {
#embed "../../Scenarios/transitions/wifi-to-cellular-while-connecting.json"
};
static const unsigned char file_Scenarios_transitions_wifi_to_cellular_json[] = {
#embed "../../Scenarios/transitions/wifi-to-cellular.json"
};
static const unsigned char file_Scenarios_transitions_wifi_to_none_json[] = {
#embed "../../Scenarios/transitions/wifi-to-none.json"
};

static const struct handover_file files[] = {
    {"Fixtures/Backends/handover_backend.py", file_Fixtures_Backends_handover_backend_py, sizeof(file_Fixtures_Backends_handover_backend_py)},
    {"Fixtures/Backends/reference.py", file_Fixtures_Backends_reference_py, sizeof(file_Fixtures_Backends_reference_py)},
    {"Fixtures/Backends/reference_rules.py", file_Fixtures_Backends_reference_rules_py, sizeof(file_Fixtures_Backends_reference_rules_py)},
    {"Fixtures/Backends/transport.py", file_Fixtures_Backends_transport_py, sizeof(file_Fixtures_Backends_transport_py)},
    {"Fixtures/Backends/wrong.py", file_Fixtures_Backends_wrong_py, sizeof(file_Fixtures_Backends_wrong_py)},
    {"Fixtures/Backends/wrong_transport.py", file_Fixtures_Backends_wrong_transport_py, sizeof(file_Fixtures_Backends_wrong_transport_py)},
    {"Fixtures/Documents/items.json", file_Fixtures_Documents_items_json, sizeof(file_Fixtures_Documents_items_json)},
    {"Fixtures/Documents/reasons.json", file_Fixtures_Documents_reasons_json, sizeof(file_Fixtures_Documents_reasons_json)},
    {"Fixtures/Schemas/scenario-1.schema.json", file_Fixtures_Schemas_scenario_1_schema_json, sizeof(file_Fixtures_Schemas_scenario_1_schema_json)},
    {"Scenarios/addresses/address-dies.json", file_Scenarios_addresses_address_dies_json, sizeof(file_Scenarios_addresses_address_dies_json)},
    {"Scenarios/addresses/answers-by-network.json", file_Scenarios_addresses_answers_by_network_json, sizeof(file_Scenarios_addresses_answers_by_network_json)},
    {"Scenarios/addresses/broken-ipv6-happy-eyeballs.json", file_Scenarios_addresses_broken_ipv6_happy_eyeballs_json, sizeof(file_Scenarios_addresses_broken_ipv6_happy_eyeballs_json)},
    {"Scenarios/addresses/broken-ipv6-in-order.json", file_Scenarios_addresses_broken_ipv6_in_order_json, sizeof(file_Scenarios_addresses_broken_ipv6_in_order_json)},
    {"Scenarios/addresses/dns-change.json", file_Scenarios_addresses_dns_change_json, sizeof(file_Scenarios_addresses_dns_change_json)},
    {"Scenarios/addresses/family-lost.json", file_Scenarios_addresses_family_lost_json, sizeof(file_Scenarios_addresses_family_lost_json)},
    {"Scenarios/addresses/name-server-fails.json", file_Scenarios_addresses_name_server_fails_json, sizeof(file_Scenarios_addresses_name_server_fails_json)},
    {"Scenarios/addresses/name-server-hangs.json", file_Scenarios_addresses_name_server_hangs_json, sizeof(file_Scenarios_addresses_name_server_hangs_json)},
    {"Scenarios/addresses/nat64.json", file_Scenarios_addresses_nat64_json, sizeof(file_Scenarios_addresses_nat64_json)},
    {"Scenarios/addresses/server-accepts-meanwhile.json", file_Scenarios_addresses_server_accepts_meanwhile_json, sizeof(file_Scenarios_addresses_server_accepts_meanwhile_json)},
    {"Scenarios/addresses/server-refuses-at-a-silent-one.json", file_Scenarios_addresses_server_refuses_at_a_silent_one_json, sizeof(file_Scenarios_addresses_server_refuses_at_a_silent_one_json)},
    {"Scenarios/addresses/server-refuses-at-each.json", file_Scenarios_addresses_server_refuses_at_each_json, sizeof(file_Scenarios_addresses_server_refuses_at_each_json)},
    {"Scenarios/addresses/server-refuses-meanwhile.json", file_Scenarios_addresses_server_refuses_meanwhile_json, sizeof(file_Scenarios_addresses_server_refuses_meanwhile_json)},
    {"Scenarios/addresses/slow-answer-then-cellular.json", file_Scenarios_addresses_slow_answer_then_cellular_json, sizeof(file_Scenarios_addresses_slow_answer_then_cellular_json)},
    {"Scenarios/addresses/slow-ipv6-answer.json", file_Scenarios_addresses_slow_ipv6_answer_json, sizeof(file_Scenarios_addresses_slow_ipv6_answer_json)},
    {"Scenarios/background/airplane-mode.json", file_Scenarios_background_airplane_mode_json, sizeof(file_Scenarios_background_airplane_mode_json)},
    {"Scenarios/background/answer-before-overdue-deadline.json", file_Scenarios_background_answer_before_overdue_deadline_json, sizeof(file_Scenarios_background_answer_before_overdue_deadline_json)},
    {"Scenarios/background/back-on-the-old-hotspot.json", file_Scenarios_background_back_on_the_old_hotspot_json, sizeof(file_Scenarios_background_back_on_the_old_hotspot_json)},
    {"Scenarios/background/callback-before-answer.json", file_Scenarios_background_callback_before_answer_json, sizeof(file_Scenarios_background_callback_before_answer_json)},
    {"Scenarios/background/calls-while-it-runs.json", file_Scenarios_background_calls_while_it_runs_json, sizeof(file_Scenarios_background_calls_while_it_runs_json)},
    {"Scenarios/background/deadline-counts-sleep.json", file_Scenarios_background_deadline_counts_sleep_json, sizeof(file_Scenarios_background_deadline_counts_sleep_json)},
    {"Scenarios/background/deadline-on-a-clock-that-stops.json", file_Scenarios_background_deadline_on_a_clock_that_stops_json, sizeof(file_Scenarios_background_deadline_on_a_clock_that_stops_json)},
    {"Scenarios/background/held-callback.json", file_Scenarios_background_held_callback_json, sizeof(file_Scenarios_background_held_callback_json)},
    {"Scenarios/background/hotspot-change-while-it-runs.json", file_Scenarios_background_hotspot_change_while_it_runs_json, sizeof(file_Scenarios_background_hotspot_change_while_it_runs_json)},
    {"Scenarios/background/hotspot-change.json", file_Scenarios_background_hotspot_change_json, sizeof(file_Scenarios_background_hotspot_change_json)},
    {"Scenarios/background/link-left-goes-down-later.json", file_Scenarios_background_link_left_goes_down_later_json, sizeof(file_Scenarios_background_link_left_goes_down_later_json)},
    {"Scenarios/background/overdue-deadline.json", file_Scenarios_background_overdue_deadline_json, sizeof(file_Scenarios_background_overdue_deadline_json)},
    {"Scenarios/background/round-trip-is-not-seen.json", file_Scenarios_background_round_trip_is_not_seen_json, sizeof(file_Scenarios_background_round_trip_is_not_seen_json)},
    {"Scenarios/background/server-closes.json", file_Scenarios_background_server_closes_json, sizeof(file_Scenarios_background_server_closes_json)},
    {"Scenarios/background/transition-while-it-runs.json", file_Scenarios_background_transition_while_it_runs_json, sizeof(file_Scenarios_background_transition_while_it_runs_json)},
    {"Scenarios/background/woken-to-fetch.json", file_Scenarios_background_woken_to_fetch_json, sizeof(file_Scenarios_background_woken_to_fetch_json)},
    {"Scenarios/backoff/attempt-as-long-as-the-delay.json", file_Scenarios_backoff_attempt_as_long_as_the_delay_json, sizeof(file_Scenarios_backoff_attempt_as_long_as_the_delay_json)},
    {"Scenarios/backoff/attempt-without-answer.json", file_Scenarios_backoff_attempt_without_answer_json, sizeof(file_Scenarios_backoff_attempt_without_answer_json)},
    {"Scenarios/backoff/broken-connection-keeps-the-instant.json", file_Scenarios_backoff_broken_connection_keeps_the_instant_json, sizeof(file_Scenarios_backoff_broken_connection_keeps_the_instant_json)},
    {"Scenarios/backoff/callback-of-the-same-network-changes-nothing.json", file_Scenarios_backoff_callback_of_the_same_network_changes_nothing_json, sizeof(file_Scenarios_backoff_callback_of_the_same_network_changes_nothing_json)},
    {"Scenarios/backoff/delays-grow.json", file_Scenarios_backoff_delays_grow_json, sizeof(file_Scenarios_backoff_delays_grow_json)},
    {"Scenarios/backoff/delays-stop-growing.json", file_Scenarios_backoff_delays_stop_growing_json, sizeof(file_Scenarios_backoff_delays_stop_growing_json)},
    {"Scenarios/backoff/doubling.json", file_Scenarios_backoff_doubling_json, sizeof(file_Scenarios_backoff_doubling_json)},
    {"Scenarios/backoff/fail-fast-after-the-backoff.json", file_Scenarios_backoff_fail_fast_after_the_backoff_json, sizeof(file_Scenarios_backoff_fail_fast_after_the_backoff_json)},
    {"Scenarios/backoff/fail-fast.json", file_Scenarios_backoff_fail_fast_json, sizeof(file_Scenarios_backoff_fail_fast_json)},
    {"Scenarios/backoff/jitter.json", file_Scenarios_backoff_jitter_json, sizeof(file_Scenarios_backoff_jitter_json)},
    {"Scenarios/backoff/longest-delay-of-a-call.json", file_Scenarios_backoff_longest_delay_of_a_call_json, sizeof(file_Scenarios_backoff_longest_delay_of_a_call_json)},
    {"Scenarios/backoff/no-call-no-attempt.json", file_Scenarios_backoff_no_call_no_attempt_json, sizeof(file_Scenarios_backoff_no_call_no_attempt_json)},
    {"Scenarios/backoff/options-of-a-call.json", file_Scenarios_backoff_options_of_a_call_json, sizeof(file_Scenarios_backoff_options_of_a_call_json)},
    {"Scenarios/backoff/reset-after-a-long-delay.json", file_Scenarios_backoff_reset_after_a_long_delay_json, sizeof(file_Scenarios_backoff_reset_after_a_long_delay_json)},
    {"Scenarios/backoff/reset-by-success.json", file_Scenarios_backoff_reset_by_success_json, sizeof(file_Scenarios_backoff_reset_by_success_json)},
    {"Scenarios/backoff/settings-come-late.json", file_Scenarios_backoff_settings_come_late_json, sizeof(file_Scenarios_backoff_settings_come_late_json)},
    {"Scenarios/backoff/silent-server-is-no-success.json", file_Scenarios_backoff_silent_server_is_no_success_json, sizeof(file_Scenarios_backoff_silent_server_is_no_success_json)},
    {"Scenarios/backoff/two-minutes-at-most.json", file_Scenarios_backoff_two_minutes_at_most_json, sizeof(file_Scenarios_backoff_two_minutes_at_most_json)},
    {"Scenarios/backoff/waits-and-fails.json", file_Scenarios_backoff_waits_and_fails_json, sizeof(file_Scenarios_backoff_waits_and_fails_json)},
    {"Scenarios/backoff/waits-and-runs.json", file_Scenarios_backoff_waits_and_runs_json, sizeof(file_Scenarios_backoff_waits_and_runs_json)},
    {"Scenarios/backoff/waits-until-cancelled.json", file_Scenarios_backoff_waits_until_cancelled_json, sizeof(file_Scenarios_backoff_waits_until_cancelled_json)},
    {"Scenarios/backoff/waits-until-its-deadline.json", file_Scenarios_backoff_waits_until_its_deadline_json, sizeof(file_Scenarios_backoff_waits_until_its_deadline_json)},
    {"Scenarios/bugs/f01-callbacks-without-a-change.json", file_Scenarios_bugs_f01_callbacks_without_a_change_json, sizeof(file_Scenarios_bugs_f01_callbacks_without_a_change_json)},
    {"Scenarios/bugs/f02-other-hotspot-in-the-background.json", file_Scenarios_bugs_f02_other_hotspot_in_the_background_json, sizeof(file_Scenarios_bugs_f02_other_hotspot_in_the_background_json)},
    {"Scenarios/bugs/f02-other-hotspot-same-category.json", file_Scenarios_bugs_f02_other_hotspot_same_category_json, sizeof(file_Scenarios_bugs_f02_other_hotspot_same_category_json)},
    {"Scenarios/bugs/f03-same-network-after-a-gap.json", file_Scenarios_bugs_f03_same_network_after_a_gap_json, sizeof(file_Scenarios_bugs_f03_same_network_after_a_gap_json)},
    {"Scenarios/bugs/f03-same-network-again.json", file_Scenarios_bugs_f03_same_network_again_json, sizeof(file_Scenarios_bugs_f03_same_network_again_json)},
    {"Scenarios/bugs/f04-vpn-comes-and-goes.json", file_Scenarios_bugs_f04_vpn_comes_and_goes_json, sizeof(file_Scenarios_bugs_f04_vpn_comes_and_goes_json)},
    {"Scenarios/bugs/f05-back-online-is-missed.json", file_Scenarios_bugs_f05_back_online_is_missed_json, sizeof(file_Scenarios_bugs_f05_back_online_is_missed_json)},
    {"Scenarios/bugs/f06-flapping-cuts-the-backoff-short.json", file_Scenarios_bugs_f06_flapping_cuts_the_backoff_short_json, sizeof(file_Scenarios_bugs_f06_flapping_cuts_the_backoff_short_json)},
    {"Scenarios/bugs/f07-wifi-to-cellular-in-the-background.json", file_Scenarios_bugs_f07_wifi_to_cellular_in_the_background_json, sizeof(file_Scenarios_bugs_f07_wifi_to_cellular_in_the_background_json)},
    {"Scenarios/bugs/f08-writes-go-nowhere.json", file_Scenarios_bugs_f08_writes_go_nowhere_json, sizeof(file_Scenarios_bugs_f08_writes_go_nowhere_json)},
    {"Scenarios/bugs/f09-half-open-for-a-quarter-of-an-hour.json", file_Scenarios_bugs_f09_half_open_for_a_quarter_of_an_hour_json, sizeof(file_Scenarios_bugs_f09_half_open_for_a_quarter_of_an_hour_json)},
    {"Scenarios/bugs/f10-waits-for-connectivity.json", file_Scenarios_bugs_f10_waits_for_connectivity_json, sizeof(file_Scenarios_bugs_f10_waits_for_connectivity_json)},
    {"Scenarios/bugs/f11-pooled-connection-is-dead.json", file_Scenarios_bugs_f11_pooled_connection_is_dead_json, sizeof(file_Scenarios_bugs_f11_pooled_connection_is_dead_json)},
    {"Scenarios/bugs/f12-listener-hears-nothing.json", file_Scenarios_bugs_f12_listener_hears_nothing_json, sizeof(file_Scenarios_bugs_f12_listener_hears_nothing_json)},
    {"Scenarios/bugs/f13-listener-and-flags-disagree.json", file_Scenarios_bugs_f13_listener_and_flags_disagree_json, sizeof(file_Scenarios_bugs_f13_listener_and_flags_disagree_json)},
    {"Scenarios/bugs/f14-airplane-mode-in-the-background.json", file_Scenarios_bugs_f14_airplane_mode_in_the_background_json, sizeof(file_Scenarios_bugs_f14_airplane_mode_in_the_background_json)},
    {"Scenarios/bugs/f14-airplane-mode.json", file_Scenarios_bugs_f14_airplane_mode_json, sizeof(file_Scenarios_bugs_f14_airplane_mode_json)},
    {"Scenarios/bugs/f15-fails-until-the-restart.json", file_Scenarios_bugs_f15_fails_until_the_restart_json, sizeof(file_Scenarios_bugs_f15_fails_until_the_restart_json)},
    {"Scenarios/bugs/f16-unresolved-name-ends-no-call.json", file_Scenarios_bugs_f16_unresolved_name_ends_no_call_json, sizeof(file_Scenarios_bugs_f16_unresolved_name_ends_no_call_json)},
    {"Scenarios/bugs/f17-fails-right-after-recovery.json", file_Scenarios_bugs_f17_fails_right_after_recovery_json, sizeof(file_Scenarios_bugs_f17_fails_right_after_recovery_json)},
    {"Scenarios/bugs/f18-monitor-overrun.json", file_Scenarios_bugs_f18_monitor_overrun_json, sizeof(file_Scenarios_bugs_f18_monitor_overrun_json)},
    {"Scenarios/bugs/f18-transition-is-lost.json", file_Scenarios_bugs_f18_transition_is_lost_json, sizeof(file_Scenarios_bugs_f18_transition_is_lost_json)},
    {"Scenarios/bugs/n01-network-was-down-once-with-keepalive.json", file_Scenarios_bugs_n01_network_was_down_once_with_keepalive_json, sizeof(file_Scenarios_bugs_n01_network_was_down_once_with_keepalive_json)},
    {"Scenarios/bugs/n01-network-was-down-once.json", file_Scenarios_bugs_n01_network_was_down_once_json, sizeof(file_Scenarios_bugs_n01_network_was_down_once_json)},
    {"Scenarios/bugs/n02-dead-connection-is-used-again.json", file_Scenarios_bugs_n02_dead_connection_is_used_again_json, sizeof(file_Scenarios_bugs_n02_dead_connection_is_used_again_json)},
    {"Scenarios/bugs/n03-interface-fails-and-another-serves.json", file_Scenarios_bugs_n03_interface_fails_and_another_serves_json, sizeof(file_Scenarios_bugs_n03_interface_fails_and_another_serves_json)},
    {"Scenarios/bugs/n03-interface-fails-with-keepalive.json", file_Scenarios_bugs_n03_interface_fails_with_keepalive_json, sizeof(file_Scenarios_bugs_n03_interface_fails_with_keepalive_json)},
    {"Scenarios/bugs/n04-cancelled-calls-keep-the-dead-connection.json", file_Scenarios_bugs_n04_cancelled_calls_keep_the_dead_connection_json, sizeof(file_Scenarios_bugs_n04_cancelled_calls_keep_the_dead_connection_json)},
    {"Scenarios/bugs/n04-cancelled-calls-with-keepalive.json", file_Scenarios_bugs_n04_cancelled_calls_with_keepalive_json, sizeof(file_Scenarios_bugs_n04_cancelled_calls_with_keepalive_json)},
    {"Scenarios/bugs/n05-keepalive-ends-the-calls-on-the-dead-peer.json", file_Scenarios_bugs_n05_keepalive_ends_the_calls_on_the_dead_peer_json, sizeof(file_Scenarios_bugs_n05_keepalive_ends_the_calls_on_the_dead_peer_json)},
    {"Scenarios/bugs/n06-wifi-comes-in-the-background.json", file_Scenarios_bugs_n06_wifi_comes_in_the_background_json, sizeof(file_Scenarios_bugs_n06_wifi_comes_in_the_background_json)},
    {"Scenarios/bugs/n08-loss-is-told-after-the-successor.json", file_Scenarios_bugs_n08_loss_is_told_after_the_successor_json, sizeof(file_Scenarios_bugs_n08_loss_is_told_after_the_successor_json)},
    {"Scenarios/bugs/n09-fails-at-the-instant-of-recovery.json", file_Scenarios_bugs_n09_fails_at_the_instant_of_recovery_json, sizeof(file_Scenarios_bugs_n09_fails_at_the_instant_of_recovery_json)},
    {"Scenarios/bugs/n10-unblocked-in-front-and-nobody-says-so.json", file_Scenarios_bugs_n10_unblocked_in_front_and_nobody_says_so_json, sizeof(file_Scenarios_bugs_n10_unblocked_in_front_and_nobody_says_so_json)},
    {"Scenarios/bugs/n10-unblocked-in-front-and-told.json", file_Scenarios_bugs_n10_unblocked_in_front_and_told_json, sizeof(file_Scenarios_bugs_n10_unblocked_in_front_and_told_json)},
    {"Scenarios/bugs/n11-old-network-lingers.json", file_Scenarios_bugs_n11_old_network_lingers_json, sizeof(file_Scenarios_bugs_n11_old_network_lingers_json)},
    {"Scenarios/bugs/n12-stream-stays-on-the-network-that-dies.json", file_Scenarios_bugs_n12_stream_stays_on_the_network_that_dies_json, sizeof(file_Scenarios_bugs_n12_stream_stays_on_the_network_that_dies_json)},
    {"Scenarios/bugs/n13-walk-between-hotspots.json", file_Scenarios_bugs_n13_walk_between_hotspots_json, sizeof(file_Scenarios_bugs_n13_walk_between_hotspots_json)},
    {"Scenarios/bugs/n14-router-loses-its-uplink-with-keepalive.json", file_Scenarios_bugs_n14_router_loses_its_uplink_with_keepalive_json, sizeof(file_Scenarios_bugs_n14_router_loses_its_uplink_with_keepalive_json)},
    {"Scenarios/bugs/n14-router-loses-its-uplink.json", file_Scenarios_bugs_n14_router_loses_its_uplink_json, sizeof(file_Scenarios_bugs_n14_router_loses_its_uplink_json)},
    {"Scenarios/bugs/n16-two-errors-for-each-connection.json", file_Scenarios_bugs_n16_two_errors_for_each_connection_json, sizeof(file_Scenarios_bugs_n16_two_errors_for_each_connection_json)},
    {"Scenarios/bugs/n19-there-and-back-while-nobody-answers.json", file_Scenarios_bugs_n19_there_and_back_while_nobody_answers_json, sizeof(file_Scenarios_bugs_n19_there_and_back_while_nobody_answers_json)},
    {"Scenarios/bugs/n20-socket-keeps-the-old-address.json", file_Scenarios_bugs_n20_socket_keeps_the_old_address_json, sizeof(file_Scenarios_bugs_n20_socket_keeps_the_old_address_json)},
    {"Scenarios/bugs/n21-swapped-socket-without-a-migration.json", file_Scenarios_bugs_n21_swapped_socket_without_a_migration_json, sizeof(file_Scenarios_bugs_n21_swapped_socket_without_a_migration_json)},
    {"Scenarios/bugs/n22-address-of-another-interface-is-not-heard.json", file_Scenarios_bugs_n22_address_of_another_interface_is_not_heard_json, sizeof(file_Scenarios_bugs_n22_address_of_another_interface_is_not_heard_json)},
    {"Scenarios/bugs/n22-address-of-another-interface.json", file_Scenarios_bugs_n22_address_of_another_interface_json, sizeof(file_Scenarios_bugs_n22_address_of_another_interface_json)},
    {"Scenarios/bugs/n23-pings-go-on-after-goaway.json", file_Scenarios_bugs_n23_pings_go_on_after_goaway_json, sizeof(file_Scenarios_bugs_n23_pings_go_on_after_goaway_json)},
    {"Scenarios/bugs/n24-sends-do-not-put-the-ping-off.json", file_Scenarios_bugs_n24_sends_do_not_put_the_ping_off_json, sizeof(file_Scenarios_bugs_n24_sends_do_not_put_the_ping_off_json)},
    {"Scenarios/bugs/n26-other-hotspot-with-keepalive.json", file_Scenarios_bugs_n26_other_hotspot_with_keepalive_json, sizeof(file_Scenarios_bugs_n26_other_hotspot_with_keepalive_json)},
    {"Scenarios/bugs/n26-other-hotspot-with-the-same-flags.json", file_Scenarios_bugs_n26_other_hotspot_with_the_same_flags_json, sizeof(file_Scenarios_bugs_n26_other_hotspot_with_the_same_flags_json)},
    {"Scenarios/bugs/n27-vpn-off-and-on-with-keepalive.json", file_Scenarios_bugs_n27_vpn_off_and_on_with_keepalive_json, sizeof(file_Scenarios_bugs_n27_vpn_off_and_on_with_keepalive_json)},
    {"Scenarios/bugs/n27-vpn-off-and-on.json", file_Scenarios_bugs_n27_vpn_off_and_on_json, sizeof(file_Scenarios_bugs_n27_vpn_off_and_on_json)},
    {"Scenarios/bugs/n28-unary-call-outlives-its-network.json", file_Scenarios_bugs_n28_unary_call_outlives_its_network_json, sizeof(file_Scenarios_bugs_n28_unary_call_outlives_its_network_json)},
    {"Scenarios/bugs/n29-channel-lives-on-after-keepalive.json", file_Scenarios_bugs_n29_channel_lives_on_after_keepalive_json, sizeof(file_Scenarios_bugs_n29_channel_lives_on_after_keepalive_json)},
    {"Scenarios/bugs/n31-calls-after-a-long-sleep-with-keepalive.json", file_Scenarios_bugs_n31_calls_after_a_long_sleep_with_keepalive_json, sizeof(file_Scenarios_bugs_n31_calls_after_a_long_sleep_with_keepalive_json)},
    {"Scenarios/bugs/n31-calls-after-a-long-sleep.json", file_Scenarios_bugs_n31_calls_after_a_long_sleep_json, sizeof(file_Scenarios_bugs_n31_calls_after_a_long_sleep_json)},
    {"Scenarios/bugs/n32-answers-are-lost-with-keepalive.json", file_Scenarios_bugs_n32_answers_are_lost_with_keepalive_json, sizeof(file_Scenarios_bugs_n32_answers_are_lost_with_keepalive_json)},
    {"Scenarios/bugs/n32-answers-are-lost.json", file_Scenarios_bugs_n32_answers_are_lost_json, sizeof(file_Scenarios_bugs_n32_answers_are_lost_json)},
    {"Scenarios/bugs/n33-hotspot-without-internet-with-keepalive.json", file_Scenarios_bugs_n33_hotspot_without_internet_with_keepalive_json, sizeof(file_Scenarios_bugs_n33_hotspot_without_internet_with_keepalive_json)},
    {"Scenarios/bugs/n33-hotspot-without-internet.json", file_Scenarios_bugs_n33_hotspot_without_internet_json, sizeof(file_Scenarios_bugs_n33_hotspot_without_internet_json)},
    {"Scenarios/bugs/n34-new-address-behind-the-router.json", file_Scenarios_bugs_n34_new_address_behind_the_router_json, sizeof(file_Scenarios_bugs_n34_new_address_behind_the_router_json)},
    {"Scenarios/bugs/n34-new-address-with-keepalive.json", file_Scenarios_bugs_n34_new_address_with_keepalive_json, sizeof(file_Scenarios_bugs_n34_new_address_with_keepalive_json)},
    {"Scenarios/bugs/n35-each-pooled-connection-hangs-once.json", file_Scenarios_bugs_n35_each_pooled_connection_hangs_once_json, sizeof(file_Scenarios_bugs_n35_each_pooled_connection_hangs_once_json)},
    {"Scenarios/bugs/n35-each-pooled-connection-with-keepalive.json", file_Scenarios_bugs_n35_each_pooled_connection_with_keepalive_json, sizeof(file_Scenarios_bugs_n35_each_pooled_connection_with_keepalive_json)},
    {"Scenarios/bugs/n37-call-outlives-a-gap.json", file_Scenarios_bugs_n37_call_outlives_a_gap_json, sizeof(file_Scenarios_bugs_n37_call_outlives_a_gap_json)},
    {"Scenarios/bugs/n38-callbacks-of-every-network.json", file_Scenarios_bugs_n38_callbacks_of_every_network_json, sizeof(file_Scenarios_bugs_n38_callbacks_of_every_network_json)},
    {"Scenarios/bugs/n38-callbacks-of-the-default-network.json", file_Scenarios_bugs_n38_callbacks_of_the_default_network_json, sizeof(file_Scenarios_bugs_n38_callbacks_of_the_default_network_json)},
    {"Scenarios/bugs/n39-first-call-after-a-sleep.json", file_Scenarios_bugs_n39_first_call_after_a_sleep_json, sizeof(file_Scenarios_bugs_n39_first_call_after_a_sleep_json)},
    {"Scenarios/bugs/n40-wakes-without-a-network.json", file_Scenarios_bugs_n40_wakes_without_a_network_json, sizeof(file_Scenarios_bugs_n40_wakes_without_a_network_json)},
    {"Scenarios/calls/answer-ends-the-call.json", file_Scenarios_calls_answer_ends_the_call_json, sizeof(file_Scenarios_calls_answer_ends_the_call_json)},
    {"Scenarios/calls/cancel-is-sent.json", file_Scenarios_calls_cancel_is_sent_json, sizeof(file_Scenarios_calls_cancel_is_sent_json)},
    {"Scenarios/calls/connecting-call-is-never-sent.json", file_Scenarios_calls_connecting_call_is_never_sent_json, sizeof(file_Scenarios_calls_connecting_call_is_never_sent_json)},
    {"Scenarios/calls/deadline-before-the-token.json", file_Scenarios_calls_deadline_before_the_token_json, sizeof(file_Scenarios_calls_deadline_before_the_token_json)},
    {"Scenarios/calls/deadlines-half-a-millisecond-apart.json", file_Scenarios_calls_deadlines_half_a_millisecond_apart_json, sizeof(file_Scenarios_calls_deadlines_half_a_millisecond_apart_json)},
    {"Scenarios/calls/each-end-has-its-status.json", file_Scenarios_calls_each_end_has_its_status_json, sizeof(file_Scenarios_calls_each_end_has_its_status_json)},
    {"Scenarios/calls/failed-call-is-never-sent.json", file_Scenarios_calls_failed_call_is_never_sent_json, sizeof(file_Scenarios_calls_failed_call_is_never_sent_json)},
    {"Scenarios/calls/failed-write.json", file_Scenarios_calls_failed_write_json, sizeof(file_Scenarios_calls_failed_write_json)},
    {"Scenarios/calls/finished-call-is-left-alone.json", file_Scenarios_calls_finished_call_is_left_alone_json, sizeof(file_Scenarios_calls_finished_call_is_left_alone_json)},
    {"Scenarios/calls/made-and-never-started.json", file_Scenarios_calls_made_and_never_started_json, sizeof(file_Scenarios_calls_made_and_never_started_json)},
    {"Scenarios/calls/made-and-not-started.json", file_Scenarios_calls_made_and_not_started_json, sizeof(file_Scenarios_calls_made_and_not_started_json)},
    {"Scenarios/calls/no-channel-before-the-token.json", file_Scenarios_calls_no_channel_before_the_token_json, sizeof(file_Scenarios_calls_no_channel_before_the_token_json)},
    {"Scenarios/calls/no-channel-can-be-made.json", file_Scenarios_calls_no_channel_can_be_made_json, sizeof(file_Scenarios_calls_no_channel_can_be_made_json)},
    {"Scenarios/calls/queued-message-is-sent.json", file_Scenarios_calls_queued_message_is_sent_json, sizeof(file_Scenarios_calls_queued_message_is_sent_json)},
    {"Scenarios/calls/requests-end-once.json", file_Scenarios_calls_requests_end_once_json, sizeof(file_Scenarios_calls_requests_end_once_json)},
    {"Scenarios/calls/unavailable-not-cancelled.json", file_Scenarios_calls_unavailable_not_cancelled_json, sizeof(file_Scenarios_calls_unavailable_not_cancelled_json)},
    {"Scenarios/calls/waiting-call-and-recovery.json", file_Scenarios_calls_waiting_call_and_recovery_json, sizeof(file_Scenarios_calls_waiting_call_and_recovery_json)},
    {"Scenarios/calls/waits-for-its-token.json", file_Scenarios_calls_waits_for_its_token_json, sizeof(file_Scenarios_calls_waits_for_its_token_json)},
    {"Scenarios/cfstream/an-error-ends-every-call.json", file_Scenarios_cfstream_an_error_ends_every_call_json, sizeof(file_Scenarios_cfstream_an_error_ends_every_call_json)},
    {"Scenarios/cfstream/away-and-back-in-the-background.json", file_Scenarios_cfstream_away_and_back_in_the_background_json, sizeof(file_Scenarios_cfstream_away_and_back_in_the_background_json)},
    {"Scenarios/cfstream/better-interface-and-the-old-stays-up.json", file_Scenarios_cfstream_better_interface_and_the_old_stays_up_json, sizeof(file_Scenarios_cfstream_better_interface_and_the_old_stays_up_json)},
    {"Scenarios/cfstream/connect-just-in-time.json", file_Scenarios_cfstream_connect_just_in_time_json, sizeof(file_Scenarios_cfstream_connect_just_in_time_json)},
    {"Scenarios/cfstream/connect-times-out-once.json", file_Scenarios_cfstream_connect_times_out_once_json, sizeof(file_Scenarios_cfstream_connect_times_out_once_json)},
    {"Scenarios/cfstream/end-of-stream.json", file_Scenarios_cfstream_end_of_stream_json, sizeof(file_Scenarios_cfstream_end_of_stream_json)},
    {"Scenarios/cfstream/event-engine-attempt-fails.json", file_Scenarios_cfstream_event_engine_attempt_fails_json, sizeof(file_Scenarios_cfstream_event_engine_attempt_fails_json)},
    {"Scenarios/cfstream/event-engine-end-goes-unnoticed.json", file_Scenarios_cfstream_event_engine_end_goes_unnoticed_json, sizeof(file_Scenarios_cfstream_event_engine_end_goes_unnoticed_json)},
    {"Scenarios/cfstream/event-engine-half-closed-with-keepalive.json", file_Scenarios_cfstream_event_engine_half_closed_with_keepalive_json, sizeof(file_Scenarios_cfstream_event_engine_half_closed_with_keepalive_json)},
    {"Scenarios/cfstream/event-engine-half-closed.json", file_Scenarios_cfstream_event_engine_half_closed_json, sizeof(file_Scenarios_cfstream_event_engine_half_closed_json)},
    {"Scenarios/cfstream/event-engine-loss-in-the-background.json", file_Scenarios_cfstream_event_engine_loss_in_the_background_json, sizeof(file_Scenarios_cfstream_event_engine_loss_in_the_background_json)},
    {"Scenarios/cfstream/event-engine-loss-is-unknown.json", file_Scenarios_cfstream_event_engine_loss_is_unknown_json, sizeof(file_Scenarios_cfstream_event_engine_loss_is_unknown_json)},
    {"Scenarios/cfstream/event-engine-reset.json", file_Scenarios_cfstream_event_engine_reset_json, sizeof(file_Scenarios_cfstream_event_engine_reset_json)},
    {"Scenarios/cfstream/event-engine-tcp-times-out.json", file_Scenarios_cfstream_event_engine_tcp_times_out_json, sizeof(file_Scenarios_cfstream_event_engine_tcp_times_out_json)},
    {"Scenarios/cfstream/event-engine-write-after-the-end.json", file_Scenarios_cfstream_event_engine_write_after_the_end_json, sizeof(file_Scenarios_cfstream_event_engine_write_after_the_end_json)},
    {"Scenarios/cfstream/every-event-is-heard.json", file_Scenarios_cfstream_every_event_is_heard_json, sizeof(file_Scenarios_cfstream_every_event_is_heard_json)},
    {"Scenarios/cfstream/lost-and-restored.json", file_Scenarios_cfstream_lost_and_restored_json, sizeof(file_Scenarios_cfstream_lost_and_restored_json)},
    {"Scenarios/cfstream/no-monitor.json", file_Scenarios_cfstream_no_monitor_json, sizeof(file_Scenarios_cfstream_no_monitor_json)},
    {"Scenarios/cfstream/partial-write.json", file_Scenarios_cfstream_partial_write_json, sizeof(file_Scenarios_cfstream_partial_write_json)},
    {"Scenarios/cfstream/read-stream-stalls-with-keepalive.json", file_Scenarios_cfstream_read_stream_stalls_with_keepalive_json, sizeof(file_Scenarios_cfstream_read_stream_stalls_with_keepalive_json)},
    {"Scenarios/cfstream/read-stream-stalls.json", file_Scenarios_cfstream_read_stream_stalls_json, sizeof(file_Scenarios_cfstream_read_stream_stalls_json)},
    {"Scenarios/cfstream/wifi-appears.json", file_Scenarios_cfstream_wifi_appears_json, sizeof(file_Scenarios_cfstream_wifi_appears_json)},
    {"Scenarios/cfstream/with-a-monitor-another-hotspot.json", file_Scenarios_cfstream_with_a_monitor_another_hotspot_json, sizeof(file_Scenarios_cfstream_with_a_monitor_another_hotspot_json)},
    {"Scenarios/cfstream/with-a-monitor-both-hear.json", file_Scenarios_cfstream_with_a_monitor_both_hear_json, sizeof(file_Scenarios_cfstream_with_a_monitor_both_hear_json)},
    {"Scenarios/cfstream/with-a-monitor-that-is-deaf.json", file_Scenarios_cfstream_with_a_monitor_that_is_deaf_json, sizeof(file_Scenarios_cfstream_with_a_monitor_that_is_deaf_json)},
    {"Scenarios/clients/cellular-link-stays-up.json", file_Scenarios_clients_cellular_link_stays_up_json, sizeof(file_Scenarios_clients_cellular_link_stays_up_json)},
    {"Scenarios/clients/cellular-to-wifi-and-killed.json", file_Scenarios_clients_cellular_to_wifi_and_killed_json, sizeof(file_Scenarios_clients_cellular_to_wifi_and_killed_json)},
    {"Scenarios/clients/cellular-to-wifi-in-the-background.json", file_Scenarios_clients_cellular_to_wifi_in_the_background_json, sizeof(file_Scenarios_clients_cellular_to_wifi_in_the_background_json)},
    {"Scenarios/clients/cellular-to-wifi.json", file_Scenarios_clients_cellular_to_wifi_json, sizeof(file_Scenarios_clients_cellular_to_wifi_json)},
    {"Scenarios/clients/idle-connection.json", file_Scenarios_clients_idle_connection_json, sizeof(file_Scenarios_clients_idle_connection_json)},
    {"Scenarios/clients/listen-only.json", file_Scenarios_clients_listen_only_json, sizeof(file_Scenarios_clients_listen_only_json)},
    {"Scenarios/clients/long-poll.json", file_Scenarios_clients_long_poll_json, sizeof(file_Scenarios_clients_long_poll_json)},
    {"Scenarios/clients/nothing-changes.json", file_Scenarios_clients_nothing_changes_json, sizeof(file_Scenarios_clients_nothing_changes_json)},
    {"Scenarios/clients/nothing-flows.json", file_Scenarios_clients_nothing_flows_json, sizeof(file_Scenarios_clients_nothing_flows_json)},
    {"Scenarios/clients/other-hotspot-in-the-background.json", file_Scenarios_clients_other_hotspot_in_the_background_json, sizeof(file_Scenarios_clients_other_hotspot_in_the_background_json)},
    {"Scenarios/clients/other-hotspot.json", file_Scenarios_clients_other_hotspot_json, sizeof(file_Scenarios_clients_other_hotspot_json)},
    {"Scenarios/clients/wifi-none-wifi.json", file_Scenarios_clients_wifi_none_wifi_json, sizeof(file_Scenarios_clients_wifi_none_wifi_json)},
    {"Scenarios/clients/wifi-to-cellular.json", file_Scenarios_clients_wifi_to_cellular_json, sizeof(file_Scenarios_clients_wifi_to_cellular_json)},
    {"Scenarios/clients/wifi-to-none.json", file_Scenarios_clients_wifi_to_none_json, sizeof(file_Scenarios_clients_wifi_to_none_json)},
    {"Scenarios/connection-limits/admission/admitted-in-one-step.json", file_Scenarios_connection_limits_admission_admitted_in_one_step_json, sizeof(file_Scenarios_connection_limits_admission_admitted_in_one_step_json)},
    {"Scenarios/connection-limits/admission/half-is-for-long-ones.json", file_Scenarios_connection_limits_admission_half_is_for_long_ones_json, sizeof(file_Scenarios_connection_limits_admission_half_is_for_long_ones_json)},
    {"Scenarios/connection-limits/admission/ios-6.json", file_Scenarios_connection_limits_admission_ios_6_json, sizeof(file_Scenarios_connection_limits_admission_ios_6_json)},
    {"Scenarios/connection-limits/admission/ios-7.json", file_Scenarios_connection_limits_admission_ios_7_json, sizeof(file_Scenarios_connection_limits_admission_ios_7_json)},
    {"Scenarios/connection-limits/admission/kind-is-the-callers-word.json", file_Scenarios_connection_limits_admission_kind_is_the_callers_word_json, sizeof(file_Scenarios_connection_limits_admission_kind_is_the_callers_word_json)},
    {"Scenarios/connection-limits/admission/limit-is-lowered.json", file_Scenarios_connection_limits_admission_limit_is_lowered_json, sizeof(file_Scenarios_connection_limits_admission_limit_is_lowered_json)},
    {"Scenarios/connection-limits/admission/limit-is-raised.json", file_Scenarios_connection_limits_admission_limit_is_raised_json, sizeof(file_Scenarios_connection_limits_admission_limit_is_raised_json)},
    {"Scenarios/connection-limits/admission/limit-raised-while-one-waits.json", file_Scenarios_connection_limits_admission_limit_raised_while_one_waits_json, sizeof(file_Scenarios_connection_limits_admission_limit_raised_while_one_waits_json)},
    {"Scenarios/connection-limits/admission/long-may-be-all.json", file_Scenarios_connection_limits_admission_long_may_be_all_json, sizeof(file_Scenarios_connection_limits_admission_long_may_be_all_json)},
    {"Scenarios/connection-limits/admission/macos.json", file_Scenarios_connection_limits_admission_macos_json, sizeof(file_Scenarios_connection_limits_admission_macos_json)},
    {"Scenarios/connection-limits/admission/no-long-at-all.json", file_Scenarios_connection_limits_admission_no_long_at_all_json, sizeof(file_Scenarios_connection_limits_admission_no_long_at_all_json)},
    {"Scenarios/connection-limits/admission/one-in-four.json", file_Scenarios_connection_limits_admission_one_in_four_json, sizeof(file_Scenarios_connection_limits_admission_one_in_four_json)},
    {"Scenarios/connection-limits/admission/port-by-scheme.json", file_Scenarios_connection_limits_admission_port_by_scheme_json, sizeof(file_Scenarios_connection_limits_admission_port_by_scheme_json)},
    {"Scenarios/connection-limits/admission/port-is-added.json", file_Scenarios_connection_limits_admission_port_is_added_json, sizeof(file_Scenarios_connection_limits_admission_port_is_added_json)},
    {"Scenarios/connection-limits/admission/ports-are-endpoints.json", file_Scenarios_connection_limits_admission_ports_are_endpoints_json, sizeof(file_Scenarios_connection_limits_admission_ports_are_endpoints_json)},
    {"Scenarios/connection-limits/admission/quarter-of-another-total.json", file_Scenarios_connection_limits_admission_quarter_of_another_total_json, sizeof(file_Scenarios_connection_limits_admission_quarter_of_another_total_json)},
    {"Scenarios/connection-limits/admission/short-may-take-everything.json", file_Scenarios_connection_limits_admission_short_may_take_everything_json, sizeof(file_Scenarios_connection_limits_admission_short_may_take_everything_json)},
    {"Scenarios/connection-limits/admission/trailing-dot.json", file_Scenarios_connection_limits_admission_trailing_dot_json, sizeof(file_Scenarios_connection_limits_admission_trailing_dot_json)},
    {"Scenarios/connection-limits/admission/version-1.5.json", file_Scenarios_connection_limits_admission_version_1_5_json, sizeof(file_Scenarios_connection_limits_admission_version_1_5_json)},
    {"Scenarios/connection-limits/admission/waiting-long-ones-count.json", file_Scenarios_connection_limits_admission_waiting_long_ones_count_json, sizeof(file_Scenarios_connection_limits_admission_waiting_long_ones_count_json)},
    {"Scenarios/connection-limits/admission/waits-below-the-long-limit.json", file_Scenarios_connection_limits_admission_waits_below_the_long_limit_json, sizeof(file_Scenarios_connection_limits_admission_waits_below_the_long_limit_json)},
    {"Scenarios/connection-limits/article/control-requests-get-through.json", file_Scenarios_connection_limits_article_control_requests_get_through_json, sizeof(file_Scenarios_connection_limits_article_control_requests_get_through_json)},
    {"Scenarios/connection-limits/article/download-thaws-in-time.json", file_Scenarios_connection_limits_article_download_thaws_in_time_json, sizeof(file_Scenarios_connection_limits_article_download_thaws_in_time_json)},
    {"Scenarios/connection-limits/article/downloads-freeze.json", file_Scenarios_connection_limits_article_downloads_freeze_json, sizeof(file_Scenarios_connection_limits_article_downloads_freeze_json)},
    {"Scenarios/connection-limits/article/fails.json", file_Scenarios_connection_limits_article_fails_json, sizeof(file_Scenarios_connection_limits_article_fails_json)},
    {"Scenarios/connection-limits/article/fifth-stream-freezes.json", file_Scenarios_connection_limits_article_fifth_stream_freezes_json, sizeof(file_Scenarios_connection_limits_article_fifth_stream_freezes_json)},
    {"Scenarios/connection-limits/article/four-streams-live.json", file_Scenarios_connection_limits_article_four_streams_live_json, sizeof(file_Scenarios_connection_limits_article_four_streams_live_json)},
    {"Scenarios/connection-limits/article/frozen-stream-thaws.json", file_Scenarios_connection_limits_article_frozen_stream_thaws_json, sizeof(file_Scenarios_connection_limits_article_frozen_stream_thaws_json)},
    {"Scenarios/connection-limits/article/ignored.json", file_Scenarios_connection_limits_article_ignored_json, sizeof(file_Scenarios_connection_limits_article_ignored_json)},
    {"Scenarios/connection-limits/article/polled.json", file_Scenarios_connection_limits_article_polled_json, sizeof(file_Scenarios_connection_limits_article_polled_json)},
    {"Scenarios/connection-limits/article/queued.json", file_Scenarios_connection_limits_article_queued_json, sizeof(file_Scenarios_connection_limits_article_queued_json)},
    {"Scenarios/connection-limits/article/refused.json", file_Scenarios_connection_limits_article_refused_json, sizeof(file_Scenarios_connection_limits_article_refused_json)},
    {"Scenarios/connection-limits/article/seconds-are-not-noticed.json", file_Scenarios_connection_limits_article_seconds_are_not_noticed_json, sizeof(file_Scenarios_connection_limits_article_seconds_are_not_noticed_json)},
    {"Scenarios/connection-limits/article/sixth-stream-freezes-on-ios-6.json", file_Scenarios_connection_limits_article_sixth_stream_freezes_on_ios_6_json, sizeof(file_Scenarios_connection_limits_article_sixth_stream_freezes_on_ios_6_json)},
    {"Scenarios/connection-limits/article/told-in-advance.json", file_Scenarios_connection_limits_article_told_in_advance_json, sizeof(file_Scenarios_connection_limits_article_told_in_advance_json)},
    {"Scenarios/connection-limits/article/two-names-of-one-machine.json", file_Scenarios_connection_limits_article_two_names_of_one_machine_json, sizeof(file_Scenarios_connection_limits_article_two_names_of_one_machine_json)},
    {"Scenarios/connection-limits/article/which-error-was-it.json", file_Scenarios_connection_limits_article_which_error_was_it_json, sizeof(file_Scenarios_connection_limits_article_which_error_was_it_json)},
    {"Scenarios/connection-limits/cancel/after-the-close.json", file_Scenarios_connection_limits_cancel_after_the_close_json, sizeof(file_Scenarios_connection_limits_cancel_after_the_close_json)},
    {"Scenarios/connection-limits/cancel/close-between-polls.json", file_Scenarios_connection_limits_cancel_close_between_polls_json, sizeof(file_Scenarios_connection_limits_cancel_close_between_polls_json)},
    {"Scenarios/connection-limits/cancel/close-ends-everything.json", file_Scenarios_connection_limits_cancel_close_ends_everything_json, sizeof(file_Scenarios_connection_limits_cancel_close_ends_everything_json)},
    {"Scenarios/connection-limits/cancel/frozen-by-ignore.json", file_Scenarios_connection_limits_cancel_frozen_by_ignore_json, sizeof(file_Scenarios_connection_limits_cancel_frozen_by_ignore_json)},
    {"Scenarios/connection-limits/cancel/frozen.json", file_Scenarios_connection_limits_cancel_frozen_json, sizeof(file_Scenarios_connection_limits_cancel_frozen_json)},
    {"Scenarios/connection-limits/cancel/late-answer.json", file_Scenarios_connection_limits_cancel_late_answer_json, sizeof(file_Scenarios_connection_limits_cancel_late_answer_json)},
    {"Scenarios/connection-limits/cancel/lets-others-move-up.json", file_Scenarios_connection_limits_cancel_lets_others_move_up_json, sizeof(file_Scenarios_connection_limits_cancel_lets_others_move_up_json)},
    {"Scenarios/connection-limits/cancel/polled-at-rest.json", file_Scenarios_connection_limits_cancel_polled_at_rest_json, sizeof(file_Scenarios_connection_limits_cancel_polled_at_rest_json)},
    {"Scenarios/connection-limits/cancel/polled-while-it-waits.json", file_Scenarios_connection_limits_cancel_polled_while_it_waits_json, sizeof(file_Scenarios_connection_limits_cancel_polled_while_it_waits_json)},
    {"Scenarios/connection-limits/cancel/refused.json", file_Scenarios_connection_limits_cancel_refused_json, sizeof(file_Scenarios_connection_limits_cancel_refused_json)},
    {"Scenarios/connection-limits/cancel/running.json", file_Scenarios_connection_limits_cancel_running_json, sizeof(file_Scenarios_connection_limits_cancel_running_json)},
    {"Scenarios/connection-limits/cancel/synchronous.json", file_Scenarios_connection_limits_cancel_synchronous_json, sizeof(file_Scenarios_connection_limits_cancel_synchronous_json)},
    {"Scenarios/connection-limits/cancel/twice.json", file_Scenarios_connection_limits_cancel_twice_json, sizeof(file_Scenarios_connection_limits_cancel_twice_json)},
    {"Scenarios/connection-limits/cancel/waiting-long.json", file_Scenarios_connection_limits_cancel_waiting_long_json, sizeof(file_Scenarios_connection_limits_cancel_waiting_long_json)},
    {"Scenarios/connection-limits/cancel/waiting.json", file_Scenarios_connection_limits_cancel_waiting_json, sizeof(file_Scenarios_connection_limits_cancel_waiting_json)},
    {"Scenarios/connection-limits/defects/u04-letters-of-the-host.json", file_Scenarios_connection_limits_defects_u04_letters_of_the_host_json, sizeof(file_Scenarios_connection_limits_defects_u04_letters_of_the_host_json)},
    {"Scenarios/connection-limits/defects/u79-at-a-transition.json", file_Scenarios_connection_limits_defects_u79_at_a_transition_json, sizeof(file_Scenarios_connection_limits_defects_u79_at_a_transition_json)},
    {"Scenarios/connection-limits/defects/u79-slot-of-another-endpoint.json", file_Scenarios_connection_limits_defects_u79_slot_of_another_endpoint_json, sizeof(file_Scenarios_connection_limits_defects_u79_slot_of_another_endpoint_json)},
    {"Scenarios/connection-limits/defects/u80-slot-freed-as-it-waits.json", file_Scenarios_connection_limits_defects_u80_slot_freed_as_it_waits_json, sizeof(file_Scenarios_connection_limits_defects_u80_slot_freed_as_it_waits_json)},
    {"Scenarios/connection-limits/defects/u81-nothing-to-begin.json", file_Scenarios_connection_limits_defects_u81_nothing_to_begin_json, sizeof(file_Scenarios_connection_limits_defects_u81_nothing_to_begin_json)},
    {"Scenarios/connection-limits/defects/u82-cancel-before-the-change.json", file_Scenarios_connection_limits_defects_u82_cancel_before_the_change_json, sizeof(file_Scenarios_connection_limits_defects_u82_cancel_before_the_change_json)},
    {"Scenarios/connection-limits/defects/u82-cancel-in-the-queue.json", file_Scenarios_connection_limits_defects_u82_cancel_in_the_queue_json, sizeof(file_Scenarios_connection_limits_defects_u82_cancel_in_the_queue_json)},
    {"Scenarios/connection-limits/defects/u83-no-time-out.json", file_Scenarios_connection_limits_defects_u83_no_time_out_json, sizeof(file_Scenarios_connection_limits_defects_u83_no_time_out_json)},
    {"Scenarios/connection-limits/defects/u85-ends-as-it-starts.json", file_Scenarios_connection_limits_defects_u85_ends_as_it_starts_json, sizeof(file_Scenarios_connection_limits_defects_u85_ends_as_it_starts_json)},
    {"Scenarios/connection-limits/defects/u85-no-network.json", file_Scenarios_connection_limits_defects_u85_no_network_json, sizeof(file_Scenarios_connection_limits_defects_u85_no_network_json)},
    {"Scenarios/connection-limits/defects/u86-requests-are-no-connections.json", file_Scenarios_connection_limits_defects_u86_requests_are_no_connections_json, sizeof(file_Scenarios_connection_limits_defects_u86_requests_are_no_connections_json)},
    {"Scenarios/connection-limits/defects/u87-blocked-for-ever.json", file_Scenarios_connection_limits_defects_u87_blocked_for_ever_json, sizeof(file_Scenarios_connection_limits_defects_u87_blocked_for_ever_json)},
    {"Scenarios/connection-limits/faults/answer-is-discarded.json", file_Scenarios_connection_limits_faults_answer_is_discarded_json, sizeof(file_Scenarios_connection_limits_faults_answer_is_discarded_json)},
    {"Scenarios/connection-limits/faults/behind-two-spellings.json", file_Scenarios_connection_limits_faults_behind_two_spellings_json, sizeof(file_Scenarios_connection_limits_faults_behind_two_spellings_json)},
    {"Scenarios/connection-limits/faults/first-packets-are-lost.json", file_Scenarios_connection_limits_faults_first_packets_are_lost_json, sizeof(file_Scenarios_connection_limits_faults_first_packets_are_lost_json)},
    {"Scenarios/connection-limits/faults/name-is-resolved-later.json", file_Scenarios_connection_limits_faults_name_is_resolved_later_json, sizeof(file_Scenarios_connection_limits_faults_name_is_resolved_later_json)},
    {"Scenarios/connection-limits/faults/only-one-endpoint.json", file_Scenarios_connection_limits_faults_only_one_endpoint_json, sizeof(file_Scenarios_connection_limits_faults_only_one_endpoint_json)},
    {"Scenarios/connection-limits/faults/poll-is-reset.json", file_Scenarios_connection_limits_faults_poll_is_reset_json, sizeof(file_Scenarios_connection_limits_faults_poll_is_reset_json)},
    {"Scenarios/connection-limits/faults/reset-behind-a-stall.json", file_Scenarios_connection_limits_faults_reset_behind_a_stall_json, sizeof(file_Scenarios_connection_limits_faults_reset_behind_a_stall_json)},
    {"Scenarios/connection-limits/faults/server-closes.json", file_Scenarios_connection_limits_faults_server_closes_json, sizeof(file_Scenarios_connection_limits_faults_server_closes_json)},
    {"Scenarios/connection-limits/faults/server-comes-back.json", file_Scenarios_connection_limits_faults_server_comes_back_json, sizeof(file_Scenarios_connection_limits_faults_server_comes_back_json)},
    {"Scenarios/connection-limits/faults/server-falls-silent-on-short-ones.json", file_Scenarios_connection_limits_faults_server_falls_silent_on_short_ones_json, sizeof(file_Scenarios_connection_limits_faults_server_falls_silent_on_short_ones_json)},
    {"Scenarios/connection-limits/faults/server-falls-silent.json", file_Scenarios_connection_limits_faults_server_falls_silent_json, sizeof(file_Scenarios_connection_limits_faults_server_falls_silent_json)},
    {"Scenarios/connection-limits/faults/server-resets.json", file_Scenarios_connection_limits_faults_server_resets_json, sizeof(file_Scenarios_connection_limits_faults_server_resets_json)},
    {"Scenarios/connection-limits/faults/server-speaks-again.json", file_Scenarios_connection_limits_faults_server_speaks_again_json, sizeof(file_Scenarios_connection_limits_faults_server_speaks_again_json)},
    {"Scenarios/connection-limits/faults/stalls-and-resumes.json", file_Scenarios_connection_limits_faults_stalls_and_resumes_json, sizeof(file_Scenarios_connection_limits_faults_stalls_and_resumes_json)},
    {"Scenarios/connection-limits/faults/stalls-for-good.json", file_Scenarios_connection_limits_faults_stalls_for_good_json, sizeof(file_Scenarios_connection_limits_faults_stalls_for_good_json)},
    {"Scenarios/connection-limits/http2/budget-is-used-up.json", file_Scenarios_connection_limits_http2_budget_is_used_up_json, sizeof(file_Scenarios_connection_limits_http2_budget_is_used_up_json)},
    {"Scenarios/connection-limits/http2/cancel-ends-one-stream.json", file_Scenarios_connection_limits_http2_cancel_ends_one_stream_json, sizeof(file_Scenarios_connection_limits_http2_cancel_ends_one_stream_json)},
    {"Scenarios/connection-limits/http2/goaway.json", file_Scenarios_connection_limits_http2_goaway_json, sizeof(file_Scenarios_connection_limits_http2_goaway_json)},
    {"Scenarios/connection-limits/http2/long-limit-is-raised.json", file_Scenarios_connection_limits_http2_long_limit_is_raised_json, sizeof(file_Scenarios_connection_limits_http2_long_limit_is_raised_json)},
    {"Scenarios/connection-limits/http2/long-part-of-the-budget.json", file_Scenarios_connection_limits_http2_long_part_of_the_budget_json, sizeof(file_Scenarios_connection_limits_http2_long_part_of_the_budget_json)},
    {"Scenarios/connection-limits/http2/many-on-one-connection.json", file_Scenarios_connection_limits_http2_many_on_one_connection_json, sizeof(file_Scenarios_connection_limits_http2_many_on_one_connection_json)},
    {"Scenarios/connection-limits/http2/many-streams.json", file_Scenarios_connection_limits_http2_many_streams_json, sizeof(file_Scenarios_connection_limits_http2_many_streams_json)},
    {"Scenarios/connection-limits/http2/one-beside-http1.json", file_Scenarios_connection_limits_http2_one_beside_http1_json, sizeof(file_Scenarios_connection_limits_http2_one_beside_http1_json)},
    {"Scenarios/connection-limits/http2/one-connection-for-each-pool.json", file_Scenarios_connection_limits_http2_one_connection_for_each_pool_json, sizeof(file_Scenarios_connection_limits_http2_one_connection_for_each_pool_json)},
    {"Scenarios/connection-limits/http2/websocket-is-cancelled.json", file_Scenarios_connection_limits_http2_websocket_is_cancelled_json, sizeof(file_Scenarios_connection_limits_http2_websocket_is_cancelled_json)},
    {"Scenarios/connection-limits/http2/websocket-until-the-response.json", file_Scenarios_connection_limits_http2_websocket_until_the_response_json, sizeof(file_Scenarios_connection_limits_http2_websocket_until_the_response_json)},
    {"Scenarios/connection-limits/http2/websockets-are-exempt.json", file_Scenarios_connection_limits_http2_websockets_are_exempt_json, sizeof(file_Scenarios_connection_limits_http2_websockets_are_exempt_json)},
    {"Scenarios/connection-limits/order/first-come.json", file_Scenarios_connection_limits_order_first_come_json, sizeof(file_Scenarios_connection_limits_order_first_come_json)},
    {"Scenarios/connection-limits/order/frozen-one-leaves-the-spare-slots.json", file_Scenarios_connection_limits_order_frozen_one_leaves_the_spare_slots_json, sizeof(file_Scenarios_connection_limits_order_frozen_one_leaves_the_spare_slots_json)},
    {"Scenarios/connection-limits/order/frozen-one-starts-first.json", file_Scenarios_connection_limits_order_frozen_one_starts_first_json, sizeof(file_Scenarios_connection_limits_order_frozen_one_starts_first_json)},
    {"Scenarios/connection-limits/order/long-that-came-first.json", file_Scenarios_connection_limits_order_long_that_came_first_json, sizeof(file_Scenarios_connection_limits_order_long_that_came_first_json)},
    {"Scenarios/connection-limits/order/poll-waits-for-the-only-slot.json", file_Scenarios_connection_limits_order_poll_waits_for_the_only_slot_json, sizeof(file_Scenarios_connection_limits_order_poll_waits_for_the_only_slot_json)},
    {"Scenarios/connection-limits/order/polls-stand-in-line.json", file_Scenarios_connection_limits_order_polls_stand_in_line_json, sizeof(file_Scenarios_connection_limits_order_polls_stand_in_line_json)},
    {"Scenarios/connection-limits/order/short-passes-a-waiting-long.json", file_Scenarios_connection_limits_order_short_passes_a_waiting_long_json, sizeof(file_Scenarios_connection_limits_order_short_passes_a_waiting_long_json)},
    {"Scenarios/connection-limits/order/short-that-came-first.json", file_Scenarios_connection_limits_order_short_that_came_first_json, sizeof(file_Scenarios_connection_limits_order_short_that_came_first_json)},
    {"Scenarios/connection-limits/order/slots-freed-together.json", file_Scenarios_connection_limits_order_slots_freed_together_json, sizeof(file_Scenarios_connection_limits_order_slots_freed_together_json)},
    {"Scenarios/connection-limits/order/spare-slots-of-a-smaller-platform.json", file_Scenarios_connection_limits_order_spare_slots_of_a_smaller_platform_json, sizeof(file_Scenarios_connection_limits_order_spare_slots_of_a_smaller_platform_json)},
    {"Scenarios/connection-limits/order/synchronous-stands-in-line.json", file_Scenarios_connection_limits_order_synchronous_stands_in_line_json, sizeof(file_Scenarios_connection_limits_order_synchronous_stands_in_line_json)},
    {"Scenarios/connection-limits/order/twenty-downloads.json", file_Scenarios_connection_limits_order_twenty_downloads_json, sizeof(file_Scenarios_connection_limits_order_twenty_downloads_json)},
    {"Scenarios/connection-limits/platform/connections-are-used-again.json", file_Scenarios_connection_limits_platform_connections_are_used_again_json, sizeof(file_Scenarios_connection_limits_platform_connections_are_used_again_json)},
    {"Scenarios/connection-limits/platform/fifth-short-does-not-time-out.json", file_Scenarios_connection_limits_platform_fifth_short_does_not_time_out_json, sizeof(file_Scenarios_connection_limits_platform_fifth_short_does_not_time_out_json)},
    {"Scenarios/connection-limits/platform/fifth-short-waits.json", file_Scenarios_connection_limits_platform_fifth_short_waits_json, sizeof(file_Scenarios_connection_limits_platform_fifth_short_waits_json)},
    {"Scenarios/connection-limits/platform/less-than-the-total.json", file_Scenarios_connection_limits_platform_less_than_the_total_json, sizeof(file_Scenarios_connection_limits_platform_less_than_the_total_json)},
    {"Scenarios/connection-limits/platform/more-than-the-total.json", file_Scenarios_connection_limits_platform_more_than_the_total_json, sizeof(file_Scenarios_connection_limits_platform_more_than_the_total_json)},
    {"Scenarios/connection-limits/platform/name-hangs.json", file_Scenarios_connection_limits_platform_name_hangs_json, sizeof(file_Scenarios_connection_limits_platform_name_hangs_json)},
    {"Scenarios/connection-limits/platform/name-is-unknown.json", file_Scenarios_connection_limits_platform_name_is_unknown_json, sizeof(file_Scenarios_connection_limits_platform_name_is_unknown_json)},
    {"Scenarios/connection-limits/platform/no-network.json", file_Scenarios_connection_limits_platform_no_network_json, sizeof(file_Scenarios_connection_limits_platform_no_network_json)},
    {"Scenarios/connection-limits/platform/one-connection-each.json", file_Scenarios_connection_limits_platform_one_connection_each_json, sizeof(file_Scenarios_connection_limits_platform_one_connection_each_json)},
    {"Scenarios/connection-limits/platform/other-endpoints-are-free.json", file_Scenarios_connection_limits_platform_other_endpoints_are_free_json, sizeof(file_Scenarios_connection_limits_platform_other_endpoints_are_free_json)},
    {"Scenarios/connection-limits/platform/server-refuses.json", file_Scenarios_connection_limits_platform_server_refuses_json, sizeof(file_Scenarios_connection_limits_platform_server_refuses_json)},
    {"Scenarios/connection-limits/policies/enqueue-leaves-the-spare-ones.json", file_Scenarios_connection_limits_policies_enqueue_leaves_the_spare_ones_json, sizeof(file_Scenarios_connection_limits_policies_enqueue_leaves_the_spare_ones_json)},
    {"Scenarios/connection-limits/policies/enqueue.json", file_Scenarios_connection_limits_policies_enqueue_json, sizeof(file_Scenarios_connection_limits_policies_enqueue_json)},
    {"Scenarios/connection-limits/policies/fail.json", file_Scenarios_connection_limits_policies_fail_json, sizeof(file_Scenarios_connection_limits_policies_fail_json)},
    {"Scenarios/connection-limits/policies/ignore.json", file_Scenarios_connection_limits_policies_ignore_json, sizeof(file_Scenarios_connection_limits_policies_ignore_json)},
    {"Scenarios/connection-limits/policies/none-counts-below-the-limit.json", file_Scenarios_connection_limits_policies_none_counts_below_the_limit_json, sizeof(file_Scenarios_connection_limits_policies_none_counts_below_the_limit_json)},
    {"Scenarios/connection-limits/policies/own-policy-wins.json", file_Scenarios_connection_limits_policies_own_policy_wins_json, sizeof(file_Scenarios_connection_limits_policies_own_policy_wins_json)},
    {"Scenarios/connection-limits/policies/poll-every-two-seconds.json", file_Scenarios_connection_limits_policies_poll_every_two_seconds_json, sizeof(file_Scenarios_connection_limits_policies_poll_every_two_seconds_json)},
    {"Scenarios/connection-limits/policies/poll.json", file_Scenarios_connection_limits_policies_poll_json, sizeof(file_Scenarios_connection_limits_policies_poll_json)},
    {"Scenarios/connection-limits/policies/polled-stream-ends-of-itself.json", file_Scenarios_connection_limits_policies_polled_stream_ends_of_itself_json, sizeof(file_Scenarios_connection_limits_policies_polled_stream_ends_of_itself_json)},
    {"Scenarios/connection-limits/policies/take-spare.json", file_Scenarios_connection_limits_policies_take_spare_json, sizeof(file_Scenarios_connection_limits_policies_take_spare_json)},
    {"Scenarios/connection-limits/policies/throw.json", file_Scenarios_connection_limits_policies_throw_json, sizeof(file_Scenarios_connection_limits_policies_throw_json)},
    {"Scenarios/connection-limits/pools/after-the-close-a-new-one.json", file_Scenarios_connection_limits_pools_after_the_close_a_new_one_json, sizeof(file_Scenarios_connection_limits_pools_after_the_close_a_new_one_json)},
    {"Scenarios/connection-limits/pools/each-answers-for-itself.json", file_Scenarios_connection_limits_pools_each_answers_for_itself_json, sizeof(file_Scenarios_connection_limits_pools_each_answers_for_itself_json)},
    {"Scenarios/connection-limits/pools/idle-connections-are-closed-in-time.json", file_Scenarios_connection_limits_pools_idle_connections_are_closed_in_time_json, sizeof(file_Scenarios_connection_limits_pools_idle_connections_are_closed_in_time_json)},
    {"Scenarios/connection-limits/pools/idle-connections-freeze-the-next.json", file_Scenarios_connection_limits_pools_idle_connections_freeze_the_next_json, sizeof(file_Scenarios_connection_limits_pools_idle_connections_freeze_the_next_json)},
    {"Scenarios/connection-limits/pools/limit-of-one.json", file_Scenarios_connection_limits_pools_limit_of_one_json, sizeof(file_Scenarios_connection_limits_pools_limit_of_one_json)},
    {"Scenarios/connection-limits/pools/limits-are-of-a-dispatcher.json", file_Scenarios_connection_limits_pools_limits_are_of_a_dispatcher_json, sizeof(file_Scenarios_connection_limits_pools_limits_are_of_a_dispatcher_json)},
    {"Scenarios/connection-limits/pools/one-dispatcher.json", file_Scenarios_connection_limits_pools_one_dispatcher_json, sizeof(file_Scenarios_connection_limits_pools_one_dispatcher_json)},
    {"Scenarios/connection-limits/pools/one-is-closed.json", file_Scenarios_connection_limits_pools_one_is_closed_json, sizeof(file_Scenarios_connection_limits_pools_one_is_closed_json)},
    {"Scenarios/connection-limits/pools/one-shared-pool.json", file_Scenarios_connection_limits_pools_one_shared_pool_json, sizeof(file_Scenarios_connection_limits_pools_one_shared_pool_json)},
    {"Scenarios/connection-limits/pools/own-pool-has-an-idle-one.json", file_Scenarios_connection_limits_pools_own_pool_has_an_idle_one_json, sizeof(file_Scenarios_connection_limits_pools_own_pool_has_an_idle_one_json)},
    {"Scenarios/connection-limits/pools/two-dispatchers.json", file_Scenarios_connection_limits_pools_two_dispatchers_json, sizeof(file_Scenarios_connection_limits_pools_two_dispatchers_json)},
    {"Scenarios/connection-limits/prediction/after-the-close.json", file_Scenarios_connection_limits_prediction_after_the_close_json, sizeof(file_Scenarios_connection_limits_prediction_after_the_close_json)},
    {"Scenarios/connection-limits/prediction/asking-changes-nothing.json", file_Scenarios_connection_limits_prediction_asking_changes_nothing_json, sizeof(file_Scenarios_connection_limits_prediction_asking_changes_nothing_json)},
    {"Scenarios/connection-limits/prediction/counts-short-load.json", file_Scenarios_connection_limits_prediction_counts_short_load_json, sizeof(file_Scenarios_connection_limits_prediction_counts_short_load_json)},
    {"Scenarios/connection-limits/prediction/each-kind.json", file_Scenarios_connection_limits_prediction_each_kind_json, sizeof(file_Scenarios_connection_limits_prediction_each_kind_json)},
    {"Scenarios/connection-limits/prediction/each-policy.json", file_Scenarios_connection_limits_prediction_each_policy_json, sizeof(file_Scenarios_connection_limits_prediction_each_policy_json)},
    {"Scenarios/connection-limits/prediction/is-no-reservation.json", file_Scenarios_connection_limits_prediction_is_no_reservation_json, sizeof(file_Scenarios_connection_limits_prediction_is_no_reservation_json)},
    {"Scenarios/connection-limits/prediction/of-another-endpoint.json", file_Scenarios_connection_limits_prediction_of_another_endpoint_json, sizeof(file_Scenarios_connection_limits_prediction_of_another_endpoint_json)},
    {"Scenarios/connection-limits/prediction/of-another-spelling.json", file_Scenarios_connection_limits_prediction_of_another_spelling_json, sizeof(file_Scenarios_connection_limits_prediction_of_another_spelling_json)},
    {"Scenarios/connection-limits/prediction/right-after-an-end.json", file_Scenarios_connection_limits_prediction_right_after_an_end_json, sizeof(file_Scenarios_connection_limits_prediction_right_after_an_end_json)},
    {"Scenarios/connection-limits/prediction/waiting-long-ones-count.json", file_Scenarios_connection_limits_prediction_waiting_long_ones_count_json, sizeof(file_Scenarios_connection_limits_prediction_waiting_long_ones_count_json)},
    {"Scenarios/connection-limits/prediction/yes-then-no.json", file_Scenarios_connection_limits_prediction_yes_then_no_json, sizeof(file_Scenarios_connection_limits_prediction_yes_then_no_json)},
    {"Scenarios/connection-limits/threads/a-failure-ends-no-thread.json", file_Scenarios_connection_limits_threads_a_failure_ends_no_thread_json, sizeof(file_Scenarios_connection_limits_threads_a_failure_ends_no_thread_json)},
    {"Scenarios/connection-limits/threads/any-number-may-wait.json", file_Scenarios_connection_limits_threads_any_number_may_wait_json, sizeof(file_Scenarios_connection_limits_threads_any_number_may_wait_json)},
    {"Scenarios/connection-limits/threads/collected-when-idle.json", file_Scenarios_connection_limits_threads_collected_when_idle_json, sizeof(file_Scenarios_connection_limits_threads_collected_when_idle_json)},
    {"Scenarios/connection-limits/threads/each-endpoint-has-its-own.json", file_Scenarios_connection_limits_threads_each_endpoint_has_its_own_json, sizeof(file_Scenarios_connection_limits_threads_each_endpoint_has_its_own_json)},
    {"Scenarios/connection-limits/threads/gone-at-once.json", file_Scenarios_connection_limits_threads_gone_at_once_json, sizeof(file_Scenarios_connection_limits_threads_gone_at_once_json)},
    {"Scenarios/connection-limits/threads/made-when-needed.json", file_Scenarios_connection_limits_threads_made_when_needed_json, sizeof(file_Scenarios_connection_limits_threads_made_when_needed_json)},
    {"Scenarios/connection-limits/threads/never-more-than-the-limit.json", file_Scenarios_connection_limits_threads_never_more_than_the_limit_json, sizeof(file_Scenarios_connection_limits_threads_never_more_than_the_limit_json)},
    {"Scenarios/connection-limits/threads/nothing-after-the-close.json", file_Scenarios_connection_limits_threads_nothing_after_the_close_json, sizeof(file_Scenarios_connection_limits_threads_nothing_after_the_close_json)},
    {"Scenarios/connection-limits/threads/spare-threads.json", file_Scenarios_connection_limits_threads_spare_threads_json, sizeof(file_Scenarios_connection_limits_threads_spare_threads_json)},
    {"Scenarios/connection-limits/threads/steady-work-keeps-one.json", file_Scenarios_connection_limits_threads_steady_work_keeps_one_json, sizeof(file_Scenarios_connection_limits_threads_steady_work_keeps_one_json)},
    {"Scenarios/connection-limits/threads/taken-again-in-time.json", file_Scenarios_connection_limits_threads_taken_again_in_time_json, sizeof(file_Scenarios_connection_limits_threads_taken_again_in_time_json)},
    {"Scenarios/connection-limits/threads/the-close-ends-them.json", file_Scenarios_connection_limits_threads_the_close_ends_them_json, sizeof(file_Scenarios_connection_limits_threads_the_close_ends_them_json)},
    {"Scenarios/connection-limits/threads/the-latest-is-taken-first.json", file_Scenarios_connection_limits_threads_the_latest_is_taken_first_json, sizeof(file_Scenarios_connection_limits_threads_the_latest_is_taken_first_json)},
    {"Scenarios/connection-limits/threads/times-of-ones-own.json", file_Scenarios_connection_limits_threads_times_of_ones_own_json, sizeof(file_Scenarios_connection_limits_threads_times_of_ones_own_json)},
    {"Scenarios/connection-limits/time-outs/after-the-end.json", file_Scenarios_connection_limits_time_outs_after_the_end_json, sizeof(file_Scenarios_connection_limits_time_outs_after_the_end_json)},
    {"Scenarios/connection-limits/time-outs/data-begins-it-anew.json", file_Scenarios_connection_limits_time_outs_data_begins_it_anew_json, sizeof(file_Scenarios_connection_limits_time_outs_data_begins_it_anew_json)},
    {"Scenarios/connection-limits/time-outs/deadline-between-polls.json", file_Scenarios_connection_limits_time_outs_deadline_between_polls_json, sizeof(file_Scenarios_connection_limits_time_outs_deadline_between_polls_json)},
    {"Scenarios/connection-limits/time-outs/deadline-while-it-is-frozen.json", file_Scenarios_connection_limits_time_outs_deadline_while_it_is_frozen_json, sizeof(file_Scenarios_connection_limits_time_outs_deadline_while_it_is_frozen_json)},
    {"Scenarios/connection-limits/time-outs/deadline-while-it-runs.json", file_Scenarios_connection_limits_time_outs_deadline_while_it_runs_json, sizeof(file_Scenarios_connection_limits_time_outs_deadline_while_it_runs_json)},
    {"Scenarios/connection-limits/time-outs/deadline-while-it-waits.json", file_Scenarios_connection_limits_time_outs_deadline_while_it_waits_json, sizeof(file_Scenarios_connection_limits_time_outs_deadline_while_it_waits_json)},
    {"Scenarios/connection-limits/time-outs/long-until-the-response.json", file_Scenarios_connection_limits_time_outs_long_until_the_response_json, sizeof(file_Scenarios_connection_limits_time_outs_long_until_the_response_json)},
    {"Scenarios/connection-limits/time-outs/long-without-a-response.json", file_Scenarios_connection_limits_time_outs_long_without_a_response_json, sizeof(file_Scenarios_connection_limits_time_outs_long_without_a_response_json)},
    {"Scenarios/connection-limits/time-outs/none.json", file_Scenarios_connection_limits_time_outs_none_json, sizeof(file_Scenarios_connection_limits_time_outs_none_json)},
    {"Scenarios/connection-limits/time-outs/slot-is-freed-too-late.json", file_Scenarios_connection_limits_time_outs_slot_is_freed_too_late_json, sizeof(file_Scenarios_connection_limits_time_outs_slot_is_freed_too_late_json)},
    {"Scenarios/connection-limits/time-outs/slot-is-freed.json", file_Scenarios_connection_limits_time_outs_slot_is_freed_json, sizeof(file_Scenarios_connection_limits_time_outs_slot_is_freed_json)},
    {"Scenarios/connection-limits/time-outs/synchronous-from-its-arrival.json", file_Scenarios_connection_limits_time_outs_synchronous_from_its_arrival_json, sizeof(file_Scenarios_connection_limits_time_outs_synchronous_from_its_arrival_json)},
    {"Scenarios/connection-limits/time-outs/usual-one-is-a-minute.json", file_Scenarios_connection_limits_time_outs_usual_one_is_a_minute_json, sizeof(file_Scenarios_connection_limits_time_outs_usual_one_is_a_minute_json)},
    {"Scenarios/connection-limits/time-outs/waiting-is-charged.json", file_Scenarios_connection_limits_time_outs_waiting_is_charged_json, sizeof(file_Scenarios_connection_limits_time_outs_waiting_is_charged_json)},
    {"Scenarios/connection-limits/time-outs/waiting-is-not-charged.json", file_Scenarios_connection_limits_time_outs_waiting_is_not_charged_json, sizeof(file_Scenarios_connection_limits_time_outs_waiting_is_not_charged_json)},
    {"Scenarios/connection-limits/time-outs/whole-transfer.json", file_Scenarios_connection_limits_time_outs_whole_transfer_json, sizeof(file_Scenarios_connection_limits_time_outs_whole_transfer_json)},
    {"Scenarios/connection-limits/transitions/answer-in-the-background.json", file_Scenarios_connection_limits_transitions_answer_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_answer_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/at-the-same-instant.json", file_Scenarios_connection_limits_transitions_at_the_same_instant_json, sizeof(file_Scenarios_connection_limits_transitions_at_the_same_instant_json)},
    {"Scenarios/connection-limits/transitions/away-and-back-in-the-background.json", file_Scenarios_connection_limits_transitions_away_and_back_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_away_and_back_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/background-and-return.json", file_Scenarios_connection_limits_transitions_background_and_return_json, sizeof(file_Scenarios_connection_limits_transitions_background_and_return_json)},
    {"Scenarios/connection-limits/transitions/callback-without-a-change.json", file_Scenarios_connection_limits_transitions_callback_without_a_change_json, sizeof(file_Scenarios_connection_limits_transitions_callback_without_a_change_json)},
    {"Scenarios/connection-limits/transitions/cellular-to-none.json", file_Scenarios_connection_limits_transitions_cellular_to_none_json, sizeof(file_Scenarios_connection_limits_transitions_cellular_to_none_json)},
    {"Scenarios/connection-limits/transitions/cellular-to-wifi.json", file_Scenarios_connection_limits_transitions_cellular_to_wifi_json, sizeof(file_Scenarios_connection_limits_transitions_cellular_to_wifi_json)},
    {"Scenarios/connection-limits/transitions/deadline-of-a-poll-in-the-background.json", file_Scenarios_connection_limits_transitions_deadline_of_a_poll_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_deadline_of_a_poll_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/enqueue.json", file_Scenarios_connection_limits_transitions_enqueue_json, sizeof(file_Scenarios_connection_limits_transitions_enqueue_json)},
    {"Scenarios/connection-limits/transitions/every-endpoint-is-hit.json", file_Scenarios_connection_limits_transitions_every_endpoint_is_hit_json, sizeof(file_Scenarios_connection_limits_transitions_every_endpoint_is_hit_json)},
    {"Scenarios/connection-limits/transitions/fail.json", file_Scenarios_connection_limits_transitions_fail_json, sizeof(file_Scenarios_connection_limits_transitions_fail_json)},
    {"Scenarios/connection-limits/transitions/gone-in-the-background.json", file_Scenarios_connection_limits_transitions_gone_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_gone_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/hotspot-change-in-the-background.json", file_Scenarios_connection_limits_transitions_hotspot_change_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_hotspot_change_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/hotspot-change.json", file_Scenarios_connection_limits_transitions_hotspot_change_json, sizeof(file_Scenarios_connection_limits_transitions_hotspot_change_json)},
    {"Scenarios/connection-limits/transitions/http2.json", file_Scenarios_connection_limits_transitions_http2_json, sizeof(file_Scenarios_connection_limits_transitions_http2_json)},
    {"Scenarios/connection-limits/transitions/idle-connections-go.json", file_Scenarios_connection_limits_transitions_idle_connections_go_json, sizeof(file_Scenarios_connection_limits_transitions_idle_connections_go_json)},
    {"Scenarios/connection-limits/transitions/ignore-in-the-background.json", file_Scenarios_connection_limits_transitions_ignore_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_ignore_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/ignore-to-none.json", file_Scenarios_connection_limits_transitions_ignore_to_none_json, sizeof(file_Scenarios_connection_limits_transitions_ignore_to_none_json)},
    {"Scenarios/connection-limits/transitions/ignore.json", file_Scenarios_connection_limits_transitions_ignore_json, sizeof(file_Scenarios_connection_limits_transitions_ignore_json)},
    {"Scenarios/connection-limits/transitions/in-the-background.json", file_Scenarios_connection_limits_transitions_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/less-than-the-total.json", file_Scenarios_connection_limits_transitions_less_than_the_total_json, sizeof(file_Scenarios_connection_limits_transitions_less_than_the_total_json)},
    {"Scenarios/connection-limits/transitions/limit-holds-after-it.json", file_Scenarios_connection_limits_transitions_limit_holds_after_it_json, sizeof(file_Scenarios_connection_limits_transitions_limit_holds_after_it_json)},
    {"Scenarios/connection-limits/transitions/limit-lowered-before-it.json", file_Scenarios_connection_limits_transitions_limit_lowered_before_it_json, sizeof(file_Scenarios_connection_limits_transitions_limit_lowered_before_it_json)},
    {"Scenarios/connection-limits/transitions/none-to-cellular.json", file_Scenarios_connection_limits_transitions_none_to_cellular_json, sizeof(file_Scenarios_connection_limits_transitions_none_to_cellular_json)},
    {"Scenarios/connection-limits/transitions/none-to-wifi.json", file_Scenarios_connection_limits_transitions_none_to_wifi_json, sizeof(file_Scenarios_connection_limits_transitions_none_to_wifi_json)},
    {"Scenarios/connection-limits/transitions/poll-across-a-gap.json", file_Scenarios_connection_limits_transitions_poll_across_a_gap_json, sizeof(file_Scenarios_connection_limits_transitions_poll_across_a_gap_json)},
    {"Scenarios/connection-limits/transitions/poll-at-rest.json", file_Scenarios_connection_limits_transitions_poll_at_rest_json, sizeof(file_Scenarios_connection_limits_transitions_poll_at_rest_json)},
    {"Scenarios/connection-limits/transitions/poll-in-the-background.json", file_Scenarios_connection_limits_transitions_poll_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_poll_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/poll-into-none.json", file_Scenarios_connection_limits_transitions_poll_into_none_json, sizeof(file_Scenarios_connection_limits_transitions_poll_into_none_json)},
    {"Scenarios/connection-limits/transitions/poll-that-waits.json", file_Scenarios_connection_limits_transitions_poll_that_waits_json, sizeof(file_Scenarios_connection_limits_transitions_poll_that_waits_json)},
    {"Scenarios/connection-limits/transitions/poll-under-way.json", file_Scenarios_connection_limits_transitions_poll_under_way_json, sizeof(file_Scenarios_connection_limits_transitions_poll_under_way_json)},
    {"Scenarios/connection-limits/transitions/synchronous-is-woken.json", file_Scenarios_connection_limits_transitions_synchronous_is_woken_json, sizeof(file_Scenarios_connection_limits_transitions_synchronous_is_woken_json)},
    {"Scenarios/connection-limits/transitions/take-spare-to-none.json", file_Scenarios_connection_limits_transitions_take_spare_to_none_json, sizeof(file_Scenarios_connection_limits_transitions_take_spare_to_none_json)},
    {"Scenarios/connection-limits/transitions/take-spare.json", file_Scenarios_connection_limits_transitions_take_spare_json, sizeof(file_Scenarios_connection_limits_transitions_take_spare_json)},
    {"Scenarios/connection-limits/transitions/throw.json", file_Scenarios_connection_limits_transitions_throw_json, sizeof(file_Scenarios_connection_limits_transitions_throw_json)},
    {"Scenarios/connection-limits/transitions/time-out-in-the-background.json", file_Scenarios_connection_limits_transitions_time_out_in_the_background_json, sizeof(file_Scenarios_connection_limits_transitions_time_out_in_the_background_json)},
    {"Scenarios/connection-limits/transitions/twice-in-a-row.json", file_Scenarios_connection_limits_transitions_twice_in_a_row_json, sizeof(file_Scenarios_connection_limits_transitions_twice_in_a_row_json)},
    {"Scenarios/connection-limits/transitions/two-dispatchers.json", file_Scenarios_connection_limits_transitions_two_dispatchers_json, sizeof(file_Scenarios_connection_limits_transitions_two_dispatchers_json)},
    {"Scenarios/connection-limits/transitions/waiting-and-timed-out.json", file_Scenarios_connection_limits_transitions_waiting_and_timed_out_json, sizeof(file_Scenarios_connection_limits_transitions_waiting_and_timed_out_json)},
    {"Scenarios/connection-limits/transitions/waiting-is-charged-across-it.json", file_Scenarios_connection_limits_transitions_waiting_is_charged_across_it_json, sizeof(file_Scenarios_connection_limits_transitions_waiting_is_charged_across_it_json)},
    {"Scenarios/connection-limits/transitions/websockets-are-lost.json", file_Scenarios_connection_limits_transitions_websockets_are_lost_json, sizeof(file_Scenarios_connection_limits_transitions_websockets_are_lost_json)},
    {"Scenarios/connection-limits/transitions/while-connecting.json", file_Scenarios_connection_limits_transitions_while_connecting_json, sizeof(file_Scenarios_connection_limits_transitions_while_connecting_json)},
    {"Scenarios/connection-limits/transitions/wifi-none-wifi.json", file_Scenarios_connection_limits_transitions_wifi_none_wifi_json, sizeof(file_Scenarios_connection_limits_transitions_wifi_none_wifi_json)},
    {"Scenarios/connection-limits/transitions/wifi-to-cellular.json", file_Scenarios_connection_limits_transitions_wifi_to_cellular_json, sizeof(file_Scenarios_connection_limits_transitions_wifi_to_cellular_json)},
    {"Scenarios/connection-limits/transitions/wifi-to-none.json", file_Scenarios_connection_limits_transitions_wifi_to_none_json, sizeof(file_Scenarios_connection_limits_transitions_wifi_to_none_json)},
    {"Scenarios/interceptors/cache/cellular-to-none.json", file_Scenarios_interceptors_cache_cellular_to_none_json, sizeof(file_Scenarios_interceptors_cache_cellular_to_none_json)},
    {"Scenarios/interceptors/cache/cellular-to-wifi.json", file_Scenarios_interceptors_cache_cellular_to_wifi_json, sizeof(file_Scenarios_interceptors_cache_cellular_to_wifi_json)},
    {"Scenarios/interceptors/cache/none-to-cellular.json", file_Scenarios_interceptors_cache_none_to_cellular_json, sizeof(file_Scenarios_interceptors_cache_none_to_cellular_json)},
    {"Scenarios/interceptors/cache/none-to-wifi.json", file_Scenarios_interceptors_cache_none_to_wifi_json, sizeof(file_Scenarios_interceptors_cache_none_to_wifi_json)},
    {"Scenarios/interceptors/cache/wifi-to-cellular.json", file_Scenarios_interceptors_cache_wifi_to_cellular_json, sizeof(file_Scenarios_interceptors_cache_wifi_to_cellular_json)},
    {"Scenarios/interceptors/cache/wifi-to-none.json", file_Scenarios_interceptors_cache_wifi_to_none_json, sizeof(file_Scenarios_interceptors_cache_wifi_to_none_json)},
    {"Scenarios/interceptors/chain/bidi.json", file_Scenarios_interceptors_chain_bidi_json, sizeof(file_Scenarios_interceptors_chain_bidi_json)},
    {"Scenarios/interceptors/chain/cancel-and-transition.json", file_Scenarios_interceptors_chain_cancel_and_transition_json, sizeof(file_Scenarios_interceptors_chain_cancel_and_transition_json)},
    {"Scenarios/interceptors/chain/cancel-before-the-start.json", file_Scenarios_interceptors_chain_cancel_before_the_start_json, sizeof(file_Scenarios_interceptors_chain_cancel_before_the_start_json)},
    {"Scenarios/interceptors/chain/cancel-is-forwarded.json", file_Scenarios_interceptors_chain_cancel_is_forwarded_json, sizeof(file_Scenarios_interceptors_chain_cancel_is_forwarded_json)},
    {"Scenarios/interceptors/chain/cancel-while-it-waits.json", file_Scenarios_interceptors_chain_cancel_while_it_waits_json, sizeof(file_Scenarios_interceptors_chain_cancel_while_it_waits_json)},
    {"Scenarios/interceptors/chain/cancel-words-of-the-transport.json", file_Scenarios_interceptors_chain_cancel_words_of_the_transport_json, sizeof(file_Scenarios_interceptors_chain_cancel_words_of_the_transport_json)},
    {"Scenarios/interceptors/chain/cancel.json", file_Scenarios_interceptors_chain_cancel_json, sizeof(file_Scenarios_interceptors_chain_cancel_json)},
    {"Scenarios/interceptors/chain/close-is-swallowed.json", file_Scenarios_interceptors_chain_close_is_swallowed_json, sizeof(file_Scenarios_interceptors_chain_close_is_swallowed_json)},
    {"Scenarios/interceptors/chain/closes-twice.json", file_Scenarios_interceptors_chain_closes_twice_json, sizeof(file_Scenarios_interceptors_chain_closes_twice_json)},
    {"Scenarios/interceptors/chain/does-not-shut-down.json", file_Scenarios_interceptors_chain_does_not_shut_down_json, sizeof(file_Scenarios_interceptors_chain_does_not_shut_down_json)},
    {"Scenarios/interceptors/chain/eager-short-circuit.json", file_Scenarios_interceptors_chain_eager_short_circuit_json, sizeof(file_Scenarios_interceptors_chain_eager_short_circuit_json)},
    {"Scenarios/interceptors/chain/factory-makes-nothing.json", file_Scenarios_interceptors_chain_factory_makes_nothing_json, sizeof(file_Scenarios_interceptors_chain_factory_makes_nothing_json)},
    {"Scenarios/interceptors/chain/first-made-with-the-call.json", file_Scenarios_interceptors_chain_first_made_with_the_call_json, sizeof(file_Scenarios_interceptors_chain_first_made_with_the_call_json)},
    {"Scenarios/interceptors/chain/flow-control-and-failure.json", file_Scenarios_interceptors_chain_flow_control_and_failure_json, sizeof(file_Scenarios_interceptors_chain_flow_control_and_failure_json)},
    {"Scenarios/interceptors/chain/flow-control-early.json", file_Scenarios_interceptors_chain_flow_control_early_json, sizeof(file_Scenarios_interceptors_chain_flow_control_early_json)},
    {"Scenarios/interceptors/chain/flow-control-holds-the-close.json", file_Scenarios_interceptors_chain_flow_control_holds_the_close_json, sizeof(file_Scenarios_interceptors_chain_flow_control_holds_the_close_json)},
    {"Scenarios/interceptors/chain/flow-control-off.json", file_Scenarios_interceptors_chain_flow_control_off_json, sizeof(file_Scenarios_interceptors_chain_flow_control_off_json)},
    {"Scenarios/interceptors/chain/flow-control.json", file_Scenarios_interceptors_chain_flow_control_json, sizeof(file_Scenarios_interceptors_chain_flow_control_json)},
    {"Scenarios/interceptors/chain/global-comes-last.json", file_Scenarios_interceptors_chain_global_comes_last_json, sizeof(file_Scenarios_interceptors_chain_global_comes_last_json)},
    {"Scenarios/interceptors/chain/global-is-off.json", file_Scenarios_interceptors_chain_global_is_off_json, sizeof(file_Scenarios_interceptors_chain_global_is_off_json)},
    {"Scenarios/interceptors/chain/hijack.json", file_Scenarios_interceptors_chain_hijack_json, sizeof(file_Scenarios_interceptors_chain_hijack_json)},
    {"Scenarios/interceptors/chain/leaves-the-next-running.json", file_Scenarios_interceptors_chain_leaves_the_next_running_json, sizeof(file_Scenarios_interceptors_chain_leaves_the_next_running_json)},
    {"Scenarios/interceptors/chain/legacy-call.json", file_Scenarios_interceptors_chain_legacy_call_json, sizeof(file_Scenarios_interceptors_chain_legacy_call_json)},
    {"Scenarios/interceptors/chain/made-at-once.json", file_Scenarios_interceptors_chain_made_at_once_json, sizeof(file_Scenarios_interceptors_chain_made_at_once_json)},
    {"Scenarios/interceptors/chain/made-when-first-needed.json", file_Scenarios_interceptors_chain_made_when_first_needed_json, sizeof(file_Scenarios_interceptors_chain_made_when_first_needed_json)},
    {"Scenarios/interceptors/chain/made-when-needed.json", file_Scenarios_interceptors_chain_made_when_needed_json, sizeof(file_Scenarios_interceptors_chain_made_when_needed_json)},
    {"Scenarios/interceptors/chain/made-when-the-call-starts.json", file_Scenarios_interceptors_chain_made_when_the_call_starts_json, sizeof(file_Scenarios_interceptors_chain_made_when_the_call_starts_json)},
    {"Scenarios/interceptors/chain/made-with-the-call.json", file_Scenarios_interceptors_chain_made_with_the_call_json, sizeof(file_Scenarios_interceptors_chain_made_with_the_call_json)},
    {"Scenarios/interceptors/chain/marshaller-fails.json", file_Scenarios_interceptors_chain_marshaller_fails_json, sizeof(file_Scenarios_interceptors_chain_marshaller_fails_json)},
    {"Scenarios/interceptors/chain/marshaller.json", file_Scenarios_interceptors_chain_marshaller_json, sizeof(file_Scenarios_interceptors_chain_marshaller_json)},
    {"Scenarios/interceptors/chain/message-after-the-close.json", file_Scenarios_interceptors_chain_message_after_the_close_json, sizeof(file_Scenarios_interceptors_chain_message_after_the_close_json)},
    {"Scenarios/interceptors/chain/metadata-after-a-message.json", file_Scenarios_interceptors_chain_metadata_after_a_message_json, sizeof(file_Scenarios_interceptors_chain_metadata_after_a_message_json)},
    {"Scenarios/interceptors/chain/metadata-with-the-first-message.json", file_Scenarios_interceptors_chain_metadata_with_the_first_message_json, sizeof(file_Scenarios_interceptors_chain_metadata_with_the_first_message_json)},
    {"Scenarios/interceptors/chain/no-factory-makes-anything.json", file_Scenarios_interceptors_chain_no_factory_makes_anything_json, sizeof(file_Scenarios_interceptors_chain_no_factory_makes_anything_json)},
    {"Scenarios/interceptors/chain/order.json", file_Scenarios_interceptors_chain_order_json, sizeof(file_Scenarios_interceptors_chain_order_json)},
    {"Scenarios/interceptors/chain/queues-concurrent.json", file_Scenarios_interceptors_chain_queues_concurrent_json, sizeof(file_Scenarios_interceptors_chain_queues_concurrent_json)},
    {"Scenarios/interceptors/chain/queues-own.json", file_Scenarios_interceptors_chain_queues_own_json, sizeof(file_Scenarios_interceptors_chain_queues_own_json)},
    {"Scenarios/interceptors/chain/queues-separate.json", file_Scenarios_interceptors_chain_queues_separate_json, sizeof(file_Scenarios_interceptors_chain_queues_separate_json)},
    {"Scenarios/interceptors/chain/queues-shared.json", file_Scenarios_interceptors_chain_queues_shared_json, sizeof(file_Scenarios_interceptors_chain_queues_shared_json)},
    {"Scenarios/interceptors/chain/requests-after-the-end.json", file_Scenarios_interceptors_chain_requests_after_the_end_json, sizeof(file_Scenarios_interceptors_chain_requests_after_the_end_json)},
    {"Scenarios/interceptors/chain/requests-out-of-order.json", file_Scenarios_interceptors_chain_requests_out_of_order_json, sizeof(file_Scenarios_interceptors_chain_requests_out_of_order_json)},
    {"Scenarios/interceptors/chain/rewrite-channel-options.json", file_Scenarios_interceptors_chain_rewrite_channel_options_json, sizeof(file_Scenarios_interceptors_chain_rewrite_channel_options_json)},
    {"Scenarios/interceptors/chain/rewrite-deadline.json", file_Scenarios_interceptors_chain_rewrite_deadline_json, sizeof(file_Scenarios_interceptors_chain_rewrite_deadline_json)},
    {"Scenarios/interceptors/chain/rewrite-fail-fast.json", file_Scenarios_interceptors_chain_rewrite_fail_fast_json, sizeof(file_Scenarios_interceptors_chain_rewrite_fail_fast_json)},
    {"Scenarios/interceptors/chain/rewrite-flow-control.json", file_Scenarios_interceptors_chain_rewrite_flow_control_json, sizeof(file_Scenarios_interceptors_chain_rewrite_flow_control_json)},
    {"Scenarios/interceptors/chain/rewrite-headers.json", file_Scenarios_interceptors_chain_rewrite_headers_json, sizeof(file_Scenarios_interceptors_chain_rewrite_headers_json)},
    {"Scenarios/interceptors/chain/rewrite-host.json", file_Scenarios_interceptors_chain_rewrite_host_json, sizeof(file_Scenarios_interceptors_chain_rewrite_host_json)},
    {"Scenarios/interceptors/chain/rewrite-interceptors-lazily.json", file_Scenarios_interceptors_chain_rewrite_interceptors_lazily_json, sizeof(file_Scenarios_interceptors_chain_rewrite_interceptors_lazily_json)},
    {"Scenarios/interceptors/chain/rewrite-interceptors.json", file_Scenarios_interceptors_chain_rewrite_interceptors_json, sizeof(file_Scenarios_interceptors_chain_rewrite_interceptors_json)},
    {"Scenarios/interceptors/chain/rewrite-messages.json", file_Scenarios_interceptors_chain_rewrite_messages_json, sizeof(file_Scenarios_interceptors_chain_rewrite_messages_json)},
    {"Scenarios/interceptors/chain/rewrite-path-for-the-server.json", file_Scenarios_interceptors_chain_rewrite_path_for_the_server_json, sizeof(file_Scenarios_interceptors_chain_rewrite_path_for_the_server_json)},
    {"Scenarios/interceptors/chain/rewrite-path.json", file_Scenarios_interceptors_chain_rewrite_path_json, sizeof(file_Scenarios_interceptors_chain_rewrite_path_json)},
    {"Scenarios/interceptors/chain/rewrite-verb.json", file_Scenarios_interceptors_chain_rewrite_verb_json, sizeof(file_Scenarios_interceptors_chain_rewrite_verb_json)},
    {"Scenarios/interceptors/chain/several-writes.json", file_Scenarios_interceptors_chain_several_writes_json, sizeof(file_Scenarios_interceptors_chain_several_writes_json)},
    {"Scenarios/interceptors/chain/shuts-down-early.json", file_Scenarios_interceptors_chain_shuts_down_early_json, sizeof(file_Scenarios_interceptors_chain_shuts_down_early_json)},
    {"Scenarios/interceptors/chain/starts-twice.json", file_Scenarios_interceptors_chain_starts_twice_json, sizeof(file_Scenarios_interceptors_chain_starts_twice_json)},
    {"Scenarios/interceptors/chain/state-of-one-call.json", file_Scenarios_interceptors_chain_state_of_one_call_json, sizeof(file_Scenarios_interceptors_chain_state_of_one_call_json)},
    {"Scenarios/interceptors/chain/suspended-as-calls-start.json", file_Scenarios_interceptors_chain_suspended_as_calls_start_json, sizeof(file_Scenarios_interceptors_chain_suspended_as_calls_start_json)},
    {"Scenarios/interceptors/chain/turns-drawn.json", file_Scenarios_interceptors_chain_turns_drawn_json, sizeof(file_Scenarios_interceptors_chain_turns_drawn_json)},
    {"Scenarios/interceptors/chain/unary-across-a-change.json", file_Scenarios_interceptors_chain_unary_across_a_change_json, sizeof(file_Scenarios_interceptors_chain_unary_across_a_change_json)},
    {"Scenarios/interceptors/chain/writes-before-the-start.json", file_Scenarios_interceptors_chain_writes_before_the_start_json, sizeof(file_Scenarios_interceptors_chain_writes_before_the_start_json)},
    {"Scenarios/interceptors/logging/cellular-to-none.json", file_Scenarios_interceptors_logging_cellular_to_none_json, sizeof(file_Scenarios_interceptors_logging_cellular_to_none_json)},
    {"Scenarios/interceptors/logging/cellular-to-wifi.json", file_Scenarios_interceptors_logging_cellular_to_wifi_json, sizeof(file_Scenarios_interceptors_logging_cellular_to_wifi_json)},
    {"Scenarios/interceptors/logging/none-to-cellular.json", file_Scenarios_interceptors_logging_none_to_cellular_json, sizeof(file_Scenarios_interceptors_logging_none_to_cellular_json)},
    {"Scenarios/interceptors/logging/none-to-wifi.json", file_Scenarios_interceptors_logging_none_to_wifi_json, sizeof(file_Scenarios_interceptors_logging_none_to_wifi_json)},
    {"Scenarios/interceptors/logging/wifi-to-cellular.json", file_Scenarios_interceptors_logging_wifi_to_cellular_json, sizeof(file_Scenarios_interceptors_logging_wifi_to_cellular_json)},
    {"Scenarios/interceptors/logging/wifi-to-none.json", file_Scenarios_interceptors_logging_wifi_to_none_json, sizeof(file_Scenarios_interceptors_logging_wifi_to_none_json)},
    {"Scenarios/interceptors/metrics/cellular-to-none.json", file_Scenarios_interceptors_metrics_cellular_to_none_json, sizeof(file_Scenarios_interceptors_metrics_cellular_to_none_json)},
    {"Scenarios/interceptors/metrics/cellular-to-wifi.json", file_Scenarios_interceptors_metrics_cellular_to_wifi_json, sizeof(file_Scenarios_interceptors_metrics_cellular_to_wifi_json)},
    {"Scenarios/interceptors/metrics/none-to-cellular.json", file_Scenarios_interceptors_metrics_none_to_cellular_json, sizeof(file_Scenarios_interceptors_metrics_none_to_cellular_json)},
    {"Scenarios/interceptors/metrics/none-to-wifi.json", file_Scenarios_interceptors_metrics_none_to_wifi_json, sizeof(file_Scenarios_interceptors_metrics_none_to_wifi_json)},
    {"Scenarios/interceptors/metrics/wifi-to-cellular.json", file_Scenarios_interceptors_metrics_wifi_to_cellular_json, sizeof(file_Scenarios_interceptors_metrics_wifi_to_cellular_json)},
    {"Scenarios/interceptors/metrics/wifi-to-none.json", file_Scenarios_interceptors_metrics_wifi_to_none_json, sizeof(file_Scenarios_interceptors_metrics_wifi_to_none_json)},
    {"Scenarios/interceptors/mock/cellular-to-none.json", file_Scenarios_interceptors_mock_cellular_to_none_json, sizeof(file_Scenarios_interceptors_mock_cellular_to_none_json)},
    {"Scenarios/interceptors/mock/cellular-to-wifi.json", file_Scenarios_interceptors_mock_cellular_to_wifi_json, sizeof(file_Scenarios_interceptors_mock_cellular_to_wifi_json)},
    {"Scenarios/interceptors/mock/none-to-cellular.json", file_Scenarios_interceptors_mock_none_to_cellular_json, sizeof(file_Scenarios_interceptors_mock_none_to_cellular_json)},
    {"Scenarios/interceptors/mock/none-to-wifi.json", file_Scenarios_interceptors_mock_none_to_wifi_json, sizeof(file_Scenarios_interceptors_mock_none_to_wifi_json)},
    {"Scenarios/interceptors/mock/wifi-to-cellular.json", file_Scenarios_interceptors_mock_wifi_to_cellular_json, sizeof(file_Scenarios_interceptors_mock_wifi_to_cellular_json)},
    {"Scenarios/interceptors/mock/wifi-to-none.json", file_Scenarios_interceptors_mock_wifi_to_none_json, sizeof(file_Scenarios_interceptors_mock_wifi_to_none_json)},
    {"Scenarios/interceptors/retry/cellular-to-none.json", file_Scenarios_interceptors_retry_cellular_to_none_json, sizeof(file_Scenarios_interceptors_retry_cellular_to_none_json)},
    {"Scenarios/interceptors/retry/cellular-to-wifi.json", file_Scenarios_interceptors_retry_cellular_to_wifi_json, sizeof(file_Scenarios_interceptors_retry_cellular_to_wifi_json)},
    {"Scenarios/interceptors/retry/deadline.json", file_Scenarios_interceptors_retry_deadline_json, sizeof(file_Scenarios_interceptors_retry_deadline_json)},
    {"Scenarios/interceptors/retry/none-to-cellular.json", file_Scenarios_interceptors_retry_none_to_cellular_json, sizeof(file_Scenarios_interceptors_retry_none_to_cellular_json)},
    {"Scenarios/interceptors/retry/none-to-wifi.json", file_Scenarios_interceptors_retry_none_to_wifi_json, sizeof(file_Scenarios_interceptors_retry_none_to_wifi_json)},
    {"Scenarios/interceptors/retry/request-may-have-been-processed.json", file_Scenarios_interceptors_retry_request_may_have_been_processed_json, sizeof(file_Scenarios_interceptors_retry_request_may_have_been_processed_json)},
    {"Scenarios/interceptors/retry/wifi-to-cellular.json", file_Scenarios_interceptors_retry_wifi_to_cellular_json, sizeof(file_Scenarios_interceptors_retry_wifi_to_cellular_json)},
    {"Scenarios/interceptors/retry/wifi-to-none.json", file_Scenarios_interceptors_retry_wifi_to_none_json, sizeof(file_Scenarios_interceptors_retry_wifi_to_none_json)},
    {"Scenarios/interceptors/token/cellular-to-none.json", file_Scenarios_interceptors_token_cellular_to_none_json, sizeof(file_Scenarios_interceptors_token_cellular_to_none_json)},
    {"Scenarios/interceptors/token/cellular-to-wifi.json", file_Scenarios_interceptors_token_cellular_to_wifi_json, sizeof(file_Scenarios_interceptors_token_cellular_to_wifi_json)},
    {"Scenarios/interceptors/token/none-to-cellular.json", file_Scenarios_interceptors_token_none_to_cellular_json, sizeof(file_Scenarios_interceptors_token_none_to_cellular_json)},
    {"Scenarios/interceptors/token/none-to-wifi.json", file_Scenarios_interceptors_token_none_to_wifi_json, sizeof(file_Scenarios_interceptors_token_none_to_wifi_json)},
    {"Scenarios/interceptors/token/wifi-to-cellular.json", file_Scenarios_interceptors_token_wifi_to_cellular_json, sizeof(file_Scenarios_interceptors_token_wifi_to_cellular_json)},
    {"Scenarios/interceptors/token/wifi-to-none.json", file_Scenarios_interceptors_token_wifi_to_none_json, sizeof(file_Scenarios_interceptors_token_wifi_to_none_json)},
    {"Scenarios/keepalive/answer-comes-too-late.json", file_Scenarios_keepalive_answer_comes_too_late_json, sizeof(file_Scenarios_keepalive_answer_comes_too_late_json)},
    {"Scenarios/keepalive/any-byte-answers-a-ping.json", file_Scenarios_keepalive_any_byte_answers_a_ping_json, sizeof(file_Scenarios_keepalive_any_byte_answers_a_ping_json)},
    {"Scenarios/keepalive/any-byte-answers.json", file_Scenarios_keepalive_any_byte_answers_json, sizeof(file_Scenarios_keepalive_any_byte_answers_json)},
    {"Scenarios/keepalive/cellular-to-wifi.json", file_Scenarios_keepalive_cellular_to_wifi_json, sizeof(file_Scenarios_keepalive_cellular_to_wifi_json)},
    {"Scenarios/keepalive/end-of-requests-is-data.json", file_Scenarios_keepalive_end_of_requests_is_data_json, sizeof(file_Scenarios_keepalive_end_of_requests_is_data_json)},
    {"Scenarios/keepalive/hotspot-change-in-the-background.json", file_Scenarios_keepalive_hotspot_change_in_the_background_json, sizeof(file_Scenarios_keepalive_hotspot_change_in_the_background_json)},
    {"Scenarios/keepalive/messages-of-a-cancelled-call.json", file_Scenarios_keepalive_messages_of_a_cancelled_call_json, sizeof(file_Scenarios_keepalive_messages_of_a_cancelled_call_json)},
    {"Scenarios/keepalive/no-call-no-ping.json", file_Scenarios_keepalive_no_call_no_ping_json, sizeof(file_Scenarios_keepalive_no_call_no_ping_json)},
    {"Scenarios/keepalive/options-of-a-call.json", file_Scenarios_keepalive_options_of_a_call_json, sizeof(file_Scenarios_keepalive_options_of_a_call_json)},
    {"Scenarios/keepalive/overdue-ping.json", file_Scenarios_keepalive_overdue_ping_json, sizeof(file_Scenarios_keepalive_overdue_ping_json)},
    {"Scenarios/keepalive/ping-meets-a-later-outage.json", file_Scenarios_keepalive_ping_meets_a_later_outage_json, sizeof(file_Scenarios_keepalive_ping_meets_a_later_outage_json)},
    {"Scenarios/keepalive/ping-starts-the-clock.json", file_Scenarios_keepalive_ping_starts_the_clock_json, sizeof(file_Scenarios_keepalive_ping_starts_the_clock_json)},
    {"Scenarios/keepalive/ping-unanswered.json", file_Scenarios_keepalive_ping_unanswered_json, sizeof(file_Scenarios_keepalive_ping_unanswered_json)},
    {"Scenarios/keepalive/ping-under-way-at-sleep-waits-again.json", file_Scenarios_keepalive_ping_under_way_at_sleep_waits_again_json, sizeof(file_Scenarios_keepalive_ping_under_way_at_sleep_waits_again_json)},
    {"Scenarios/keepalive/ping-under-way-at-sleep.json", file_Scenarios_keepalive_ping_under_way_at_sleep_json, sizeof(file_Scenarios_keepalive_ping_under_way_at_sleep_json)},
    {"Scenarios/keepalive/ping-without-calls.json", file_Scenarios_keepalive_ping_without_calls_json, sizeof(file_Scenarios_keepalive_ping_without_calls_json)},
    {"Scenarios/keepalive/proxy-swallows-old-connections.json", file_Scenarios_keepalive_proxy_swallows_old_connections_json, sizeof(file_Scenarios_keepalive_proxy_swallows_old_connections_json)},
    {"Scenarios/keepalive/reset-is-no-data.json", file_Scenarios_keepalive_reset_is_no_data_json, sizeof(file_Scenarios_keepalive_reset_is_no_data_json)},
    {"Scenarios/keepalive/server-falls-silent.json", file_Scenarios_keepalive_server_falls_silent_json, sizeof(file_Scenarios_keepalive_server_falls_silent_json)},
    {"Scenarios/keepalive/two-pings-without-data.json", file_Scenarios_keepalive_two_pings_without_data_json, sizeof(file_Scenarios_keepalive_two_pings_without_data_json)},
    {"Scenarios/keepalive/with-and-without.json", file_Scenarios_keepalive_with_and_without_json, sizeof(file_Scenarios_keepalive_with_and_without_json)},
    {"Scenarios/keepalive/without-it-the-hotspot-change-stays.json", file_Scenarios_keepalive_without_it_the_hotspot_change_stays_json, sizeof(file_Scenarios_keepalive_without_it_the_hotspot_change_stays_json)},
    {"Scenarios/monitor/callback-late-for-a-healthy-connection.json", file_Scenarios_monitor_callback_late_for_a_healthy_connection_json, sizeof(file_Scenarios_monitor_callback_late_for_a_healthy_connection_json)},
    {"Scenarios/monitor/callback-late.json", file_Scenarios_monitor_callback_late_json, sizeof(file_Scenarios_monitor_callback_late_json)},
    {"Scenarios/monitor/callback-lost-and-made-good.json", file_Scenarios_monitor_callback_lost_and_made_good_json, sizeof(file_Scenarios_monitor_callback_lost_and_made_good_json)},
    {"Scenarios/monitor/callback-takes-time.json", file_Scenarios_monitor_callback_takes_time_json, sizeof(file_Scenarios_monitor_callback_takes_time_json)},
    {"Scenarios/monitor/callback-twice.json", file_Scenarios_monitor_callback_twice_json, sizeof(file_Scenarios_monitor_callback_twice_json)},
    {"Scenarios/monitor/deaf.json", file_Scenarios_monitor_deaf_json, sizeof(file_Scenarios_monitor_deaf_json)},
    {"Scenarios/monitor/flags-of-their-own.json", file_Scenarios_monitor_flags_of_their_own_json, sizeof(file_Scenarios_monitor_flags_of_their_own_json)},
    {"Scenarios/monitor/initial-read-is-silent.json", file_Scenarios_monitor_initial_read_is_silent_json, sizeof(file_Scenarios_monitor_initial_read_is_silent_json)},
    {"Scenarios/monitor/local-address-on-cellular.json", file_Scenarios_monitor_local_address_on_cellular_json, sizeof(file_Scenarios_monitor_local_address_on_cellular_json)},
    {"Scenarios/monitor/none-to-cellular.json", file_Scenarios_monitor_none_to_cellular_json, sizeof(file_Scenarios_monitor_none_to_cellular_json)},
    {"Scenarios/monitor/none-to-wifi.json", file_Scenarios_monitor_none_to_wifi_json, sizeof(file_Scenarios_monitor_none_to_wifi_json)},
    {"Scenarios/monitor/notification-names-both-categories.json", file_Scenarios_monitor_notification_names_both_categories_json, sizeof(file_Scenarios_monitor_notification_names_both_categories_json)},
    {"Scenarios/monitor/on-linux-another-category.json", file_Scenarios_monitor_on_linux_another_category_json, sizeof(file_Scenarios_monitor_on_linux_another_category_json)},
    {"Scenarios/monitor/on-linux-another-hotspot.json", file_Scenarios_monitor_on_linux_another_hotspot_json, sizeof(file_Scenarios_monitor_on_linux_another_hotspot_json)},
    {"Scenarios/monitor/other-flags-are-ignored.json", file_Scenarios_monitor_other_flags_are_ignored_json, sizeof(file_Scenarios_monitor_other_flags_are_ignored_json)},
    {"Scenarios/monitor/overrun-hides-a-round-trip.json", file_Scenarios_monitor_overrun_hides_a_round_trip_json, sizeof(file_Scenarios_monitor_overrun_hides_a_round_trip_json)},
    {"Scenarios/monitor/overrun-reads-afresh.json", file_Scenarios_monitor_overrun_reads_afresh_json, sizeof(file_Scenarios_monitor_overrun_reads_afresh_json)},
    {"Scenarios/monitor/table-000-none.json", file_Scenarios_monitor_table_000_none_json, sizeof(file_Scenarios_monitor_table_000_none_json)},
    {"Scenarios/monitor/table-001-none.json", file_Scenarios_monitor_table_001_none_json, sizeof(file_Scenarios_monitor_table_001_none_json)},
    {"Scenarios/monitor/table-010-none.json", file_Scenarios_monitor_table_010_none_json, sizeof(file_Scenarios_monitor_table_010_none_json)},
    {"Scenarios/monitor/table-011-none.json", file_Scenarios_monitor_table_011_none_json, sizeof(file_Scenarios_monitor_table_011_none_json)},
    {"Scenarios/monitor/table-100-wifi.json", file_Scenarios_monitor_table_100_wifi_json, sizeof(file_Scenarios_monitor_table_100_wifi_json)},
    {"Scenarios/monitor/table-101-cellular.json", file_Scenarios_monitor_table_101_cellular_json, sizeof(file_Scenarios_monitor_table_101_cellular_json)},
    {"Scenarios/monitor/table-110-none.json", file_Scenarios_monitor_table_110_none_json, sizeof(file_Scenarios_monitor_table_110_none_json)},
    {"Scenarios/monitor/table-111-none.json", file_Scenarios_monitor_table_111_none_json, sizeof(file_Scenarios_monitor_table_111_none_json)},
    {"Scenarios/monitor/two-callbacks-in-one-instant.json", file_Scenarios_monitor_two_callbacks_in_one_instant_json, sizeof(file_Scenarios_monitor_two_callbacks_in_one_instant_json)},
    {"Scenarios/monitor/two-networks-delay-a-callback.json", file_Scenarios_monitor_two_networks_delay_a_callback_json, sizeof(file_Scenarios_monitor_two_networks_delay_a_callback_json)},
    {"Scenarios/monitor/two-networks-miss-a-callback.json", file_Scenarios_monitor_two_networks_miss_a_callback_json, sizeof(file_Scenarios_monitor_two_networks_miss_a_callback_json)},
    {"Scenarios/monitor/unknown-start-to-cellular.json", file_Scenarios_monitor_unknown_start_to_cellular_json, sizeof(file_Scenarios_monitor_unknown_start_to_cellular_json)},
    {"Scenarios/monitor/unknown-start-to-none.json", file_Scenarios_monitor_unknown_start_to_none_json, sizeof(file_Scenarios_monitor_unknown_start_to_none_json)},
    {"Scenarios/monitor/unknown-start-to-wifi.json", file_Scenarios_monitor_unknown_start_to_wifi_json, sizeof(file_Scenarios_monitor_unknown_start_to_wifi_json)},
    {"Scenarios/monitor/up-and-down-at-one-instant.json", file_Scenarios_monitor_up_and_down_at_one_instant_json, sizeof(file_Scenarios_monitor_up_and_down_at_one_instant_json)},
    {"Scenarios/moves/dhcp-renewal.json", file_Scenarios_moves_dhcp_renewal_json, sizeof(file_Scenarios_moves_dhcp_renewal_json)},
    {"Scenarios/moves/ipv6-dies.json", file_Scenarios_moves_ipv6_dies_json, sizeof(file_Scenarios_moves_ipv6_dies_json)},
    {"Scenarios/moves/lift.json", file_Scenarios_moves_lift_json, sizeof(file_Scenarios_moves_lift_json)},
    {"Scenarios/moves/proxy.json", file_Scenarios_moves_proxy_json, sizeof(file_Scenarios_moves_proxy_json)},
    {"Scenarios/moves/train.json", file_Scenarios_moves_train_json, sizeof(file_Scenarios_moves_train_json)},
    {"Scenarios/moves/vpn-down.json", file_Scenarios_moves_vpn_down_json, sizeof(file_Scenarios_moves_vpn_down_json)},
    {"Scenarios/moves/vpn-up.json", file_Scenarios_moves_vpn_up_json, sizeof(file_Scenarios_moves_vpn_up_json)},
    {"Scenarios/moves/walk-out.json", file_Scenarios_moves_walk_out_json, sizeof(file_Scenarios_moves_walk_out_json)},
    {"Scenarios/names/look-up-ends-without-a-network.json", file_Scenarios_names_look_up_ends_without_a_network_json, sizeof(file_Scenarios_names_look_up_ends_without_a_network_json)},
    {"Scenarios/names/look-up-outlives-a-hotspot.json", file_Scenarios_names_look_up_outlives_a_hotspot_json, sizeof(file_Scenarios_names_look_up_outlives_a_hotspot_json)},
    {"Scenarios/names/look-up-outlives-its-path.json", file_Scenarios_names_look_up_outlives_its_path_json, sizeof(file_Scenarios_names_look_up_outlives_its_path_json)},
    {"Scenarios/names/open-connection-needs-no-name.json", file_Scenarios_names_open_connection_needs_no_name_json, sizeof(file_Scenarios_names_open_connection_needs_no_name_json)},
    {"Scenarios/names/resolution-fails-at-first.json", file_Scenarios_names_resolution_fails_at_first_json, sizeof(file_Scenarios_names_resolution_fails_at_first_json)},
    {"Scenarios/names/resolution-fails.json", file_Scenarios_names_resolution_fails_json, sizeof(file_Scenarios_names_resolution_fails_json)},
    {"Scenarios/names/resolution-hangs.json", file_Scenarios_names_resolution_hangs_json, sizeof(file_Scenarios_names_resolution_hangs_json)},
    {"Scenarios/names/resolution-never-answers.json", file_Scenarios_names_resolution_never_answers_json, sizeof(file_Scenarios_names_resolution_never_answers_json)},
    {"Scenarios/networks/airplane-mode-with-ethernet.json", file_Scenarios_networks_airplane_mode_with_ethernet_json, sizeof(file_Scenarios_networks_airplane_mode_with_ethernet_json)},
    {"Scenarios/networks/airplane-mode.json", file_Scenarios_networks_airplane_mode_json, sizeof(file_Scenarios_networks_airplane_mode_json)},
    {"Scenarios/networks/intranet-over-another-network.json", file_Scenarios_networks_intranet_over_another_network_json, sizeof(file_Scenarios_networks_intranet_over_another_network_json)},
    {"Scenarios/networks/linger-ends.json", file_Scenarios_networks_linger_ends_json, sizeof(file_Scenarios_networks_linger_ends_json)},
    {"Scenarios/networks/linger-is-cancelled.json", file_Scenarios_networks_linger_is_cancelled_json, sizeof(file_Scenarios_networks_linger_is_cancelled_json)},
    {"Scenarios/networks/overrun-between-up-and-down.json", file_Scenarios_networks_overrun_between_up_and_down_json, sizeof(file_Scenarios_networks_overrun_between_up_and_down_json)},
    {"Scenarios/networks/portal.json", file_Scenarios_networks_portal_json, sizeof(file_Scenarios_networks_portal_json)},
    {"Scenarios/networks/rebound-during-an-outage.json", file_Scenarios_networks_rebound_during_an_outage_json, sizeof(file_Scenarios_networks_rebound_during_an_outage_json)},
    {"Scenarios/networks/same-address-roam.json", file_Scenarios_networks_same_address_roam_json, sizeof(file_Scenarios_networks_same_address_roam_json)},
    {"Scenarios/networks/unknown-flows-are-reset.json", file_Scenarios_networks_unknown_flows_are_reset_json, sizeof(file_Scenarios_networks_unknown_flows_are_reset_json)},
    {"Scenarios/networks/vpn-takes-all-traffic.json", file_Scenarios_networks_vpn_takes_all_traffic_json, sizeof(file_Scenarios_networks_vpn_takes_all_traffic_json)},
    {"Scenarios/networks/wifi-in-airplane-mode.json", file_Scenarios_networks_wifi_in_airplane_mode_json, sizeof(file_Scenarios_networks_wifi_in_airplane_mode_json)},
    {"Scenarios/okhttp/attempt-without-answer-ends-after-ten-seconds.json", file_Scenarios_okhttp_attempt_without_answer_ends_after_ten_seconds_json, sizeof(file_Scenarios_okhttp_attempt_without_answer_ends_after_ten_seconds_json)},
    {"Scenarios/okhttp/each-pooled-connection-hangs-once.json", file_Scenarios_okhttp_each_pooled_connection_hangs_once_json, sizeof(file_Scenarios_okhttp_each_pooled_connection_hangs_once_json)},
    {"Scenarios/okhttp/five-idle-connections.json", file_Scenarios_okhttp_five_idle_connections_json, sizeof(file_Scenarios_okhttp_five_idle_connections_json)},
    {"Scenarios/okhttp/get-on-a-closed-connection-is-repeated.json", file_Scenarios_okhttp_get_on_a_closed_connection_is_repeated_json, sizeof(file_Scenarios_okhttp_get_on_a_closed_connection_is_repeated_json)},
    {"Scenarios/okhttp/get-tries-every-closed-connection.json", file_Scenarios_okhttp_get_tries_every_closed_connection_json, sizeof(file_Scenarios_okhttp_get_tries_every_closed_connection_json)},
    {"Scenarios/okhttp/idle-limit-counts-all-hosts.json", file_Scenarios_okhttp_idle_limit_counts_all_hosts_json, sizeof(file_Scenarios_okhttp_idle_limit_counts_all_hosts_json)},
    {"Scenarios/okhttp/idle-time-starts-again.json", file_Scenarios_okhttp_idle_time_starts_again_json, sizeof(file_Scenarios_okhttp_idle_time_starts_again_json)},
    {"Scenarios/okhttp/lost-response-is-not-repeated.json", file_Scenarios_okhttp_lost_response_is_not_repeated_json, sizeof(file_Scenarios_okhttp_lost_response_is_not_repeated_json)},
    {"Scenarios/okhttp/no-network-and-no-backoff.json", file_Scenarios_okhttp_no_network_and_no_backoff_json, sizeof(file_Scenarios_okhttp_no_network_and_no_backoff_json)},
    {"Scenarios/okhttp/one-shot-body-is-not-repeated.json", file_Scenarios_okhttp_one_shot_body_is_not_repeated_json, sizeof(file_Scenarios_okhttp_one_shot_body_is_not_repeated_json)},
    {"Scenarios/okhttp/pooled-connection-of-the-old-network-hangs.json", file_Scenarios_okhttp_pooled_connection_of_the_old_network_hangs_json, sizeof(file_Scenarios_okhttp_pooled_connection_of_the_old_network_hangs_json)},
    {"Scenarios/okhttp/probe-after-ten-idle-seconds.json", file_Scenarios_okhttp_probe_after_ten_idle_seconds_json, sizeof(file_Scenarios_okhttp_probe_after_ten_idle_seconds_json)},
    {"Scenarios/okhttp/repeatable-body-is-repeated.json", file_Scenarios_okhttp_repeatable_body_is_repeated_json, sizeof(file_Scenarios_okhttp_repeatable_body_is_repeated_json)},
    {"Scenarios/okhttp/running-request-hangs-and-is-not-repeated.json", file_Scenarios_okhttp_running_request_hangs_and_is_not_repeated_json, sizeof(file_Scenarios_okhttp_running_request_hangs_and_is_not_repeated_json)},
    {"Scenarios/order/anybody-hears-first.json", file_Scenarios_order_anybody_hears_first_json, sizeof(file_Scenarios_order_anybody_hears_first_json)},
    {"Scenarios/order/callback-before-the-next-call.json", file_Scenarios_order_callback_before_the_next_call_json, sizeof(file_Scenarios_order_callback_before_the_next_call_json)},
    {"Scenarios/order/calls-hear-first.json", file_Scenarios_order_calls_hear_first_json, sizeof(file_Scenarios_order_calls_hear_first_json)},
    {"Scenarios/order/deadline-before-the-answer.json", file_Scenarios_order_deadline_before_the_answer_json, sizeof(file_Scenarios_order_deadline_before_the_answer_json)},
    {"Scenarios/order/loss-before-its-callback.json", file_Scenarios_order_loss_before_its_callback_json, sizeof(file_Scenarios_order_loss_before_its_callback_json)},
    {"Scenarios/order/pool-hears-first.json", file_Scenarios_order_pool_hears_first_json, sizeof(file_Scenarios_order_pool_hears_first_json)},
    {"Scenarios/order/token-answers.json", file_Scenarios_order_token_answers_json, sizeof(file_Scenarios_order_token_answers_json)},
    {"Scenarios/pairs/background/000-to-000.json", file_Scenarios_pairs_background_000_to_000_json, sizeof(file_Scenarios_pairs_background_000_to_000_json)},
    {"Scenarios/pairs/background/000-to-001.json", file_Scenarios_pairs_background_000_to_001_json, sizeof(file_Scenarios_pairs_background_000_to_001_json)},
    {"Scenarios/pairs/background/000-to-010.json", file_Scenarios_pairs_background_000_to_010_json, sizeof(file_Scenarios_pairs_background_000_to_010_json)},
    {"Scenarios/pairs/background/000-to-011.json", file_Scenarios_pairs_background_000_to_011_json, sizeof(file_Scenarios_pairs_background_000_to_011_json)},
    {"Scenarios/pairs/background/000-to-100.json", file_Scenarios_pairs_background_000_to_100_json, sizeof(file_Scenarios_pairs_background_000_to_100_json)},
    {"Scenarios/pairs/background/000-to-101.json", file_Scenarios_pairs_background_000_to_101_json, sizeof(file_Scenarios_pairs_background_000_to_101_json)},
    {"Scenarios/pairs/background/000-to-110.json", file_Scenarios_pairs_background_000_to_110_json, sizeof(file_Scenarios_pairs_background_000_to_110_json)},
    {"Scenarios/pairs/background/000-to-111.json", file_Scenarios_pairs_background_000_to_111_json, sizeof(file_Scenarios_pairs_background_000_to_111_json)},
    {"Scenarios/pairs/background/001-to-000.json", file_Scenarios_pairs_background_001_to_000_json, sizeof(file_Scenarios_pairs_background_001_to_000_json)},
    {"Scenarios/pairs/background/001-to-001.json", file_Scenarios_pairs_background_001_to_001_json, sizeof(file_Scenarios_pairs_background_001_to_001_json)},
    {"Scenarios/pairs/background/001-to-010.json", file_Scenarios_pairs_background_001_to_010_json, sizeof(file_Scenarios_pairs_background_001_to_010_json)},
    {"Scenarios/pairs/background/001-to-011.json", file_Scenarios_pairs_background_001_to_011_json, sizeof(file_Scenarios_pairs_background_001_to_011_json)},
    {"Scenarios/pairs/background/001-to-100.json", file_Scenarios_pairs_background_001_to_100_json, sizeof(file_Scenarios_pairs_background_001_to_100_json)},
    {"Scenarios/pairs/background/001-to-101.json", file_Scenarios_pairs_background_001_to_101_json, sizeof(file_Scenarios_pairs_background_001_to_101_json)},
    {"Scenarios/pairs/background/001-to-110.json", file_Scenarios_pairs_background_001_to_110_json, sizeof(file_Scenarios_pairs_background_001_to_110_json)},
    {"Scenarios/pairs/background/001-to-111.json", file_Scenarios_pairs_background_001_to_111_json, sizeof(file_Scenarios_pairs_background_001_to_111_json)},
    {"Scenarios/pairs/background/010-to-000.json", file_Scenarios_pairs_background_010_to_000_json, sizeof(file_Scenarios_pairs_background_010_to_000_json)},
    {"Scenarios/pairs/background/010-to-001.json", file_Scenarios_pairs_background_010_to_001_json, sizeof(file_Scenarios_pairs_background_010_to_001_json)},
    {"Scenarios/pairs/background/010-to-010.json", file_Scenarios_pairs_background_010_to_010_json, sizeof(file_Scenarios_pairs_background_010_to_010_json)},
    {"Scenarios/pairs/background/010-to-011.json", file_Scenarios_pairs_background_010_to_011_json, sizeof(file_Scenarios_pairs_background_010_to_011_json)},
    {"Scenarios/pairs/background/010-to-100.json", file_Scenarios_pairs_background_010_to_100_json, sizeof(file_Scenarios_pairs_background_010_to_100_json)},
    {"Scenarios/pairs/background/010-to-101.json", file_Scenarios_pairs_background_010_to_101_json, sizeof(file_Scenarios_pairs_background_010_to_101_json)},
    {"Scenarios/pairs/background/010-to-110.json", file_Scenarios_pairs_background_010_to_110_json, sizeof(file_Scenarios_pairs_background_010_to_110_json)},
    {"Scenarios/pairs/background/010-to-111.json", file_Scenarios_pairs_background_010_to_111_json, sizeof(file_Scenarios_pairs_background_010_to_111_json)},
    {"Scenarios/pairs/background/011-to-000.json", file_Scenarios_pairs_background_011_to_000_json, sizeof(file_Scenarios_pairs_background_011_to_000_json)},
    {"Scenarios/pairs/background/011-to-001.json", file_Scenarios_pairs_background_011_to_001_json, sizeof(file_Scenarios_pairs_background_011_to_001_json)},
    {"Scenarios/pairs/background/011-to-010.json", file_Scenarios_pairs_background_011_to_010_json, sizeof(file_Scenarios_pairs_background_011_to_010_json)},
    {"Scenarios/pairs/background/011-to-011.json", file_Scenarios_pairs_background_011_to_011_json, sizeof(file_Scenarios_pairs_background_011_to_011_json)},
    {"Scenarios/pairs/background/011-to-100.json", file_Scenarios_pairs_background_011_to_100_json, sizeof(file_Scenarios_pairs_background_011_to_100_json)},
    {"Scenarios/pairs/background/011-to-101.json", file_Scenarios_pairs_background_011_to_101_json, sizeof(file_Scenarios_pairs_background_011_to_101_json)},
    {"Scenarios/pairs/background/011-to-110.json", file_Scenarios_pairs_background_011_to_110_json, sizeof(file_Scenarios_pairs_background_011_to_110_json)},
    {"Scenarios/pairs/background/011-to-111.json", file_Scenarios_pairs_background_011_to_111_json, sizeof(file_Scenarios_pairs_background_011_to_111_json)},
    {"Scenarios/pairs/background/100-to-000.json", file_Scenarios_pairs_background_100_to_000_json, sizeof(file_Scenarios_pairs_background_100_to_000_json)},
    {"Scenarios/pairs/background/100-to-001.json", file_Scenarios_pairs_background_100_to_001_json, sizeof(file_Scenarios_pairs_background_100_to_001_json)},
    {"Scenarios/pairs/background/100-to-010.json", file_Scenarios_pairs_background_100_to_010_json, sizeof(file_Scenarios_pairs_background_100_to_010_json)},
    {"Scenarios/pairs/background/100-to-011.json", file_Scenarios_pairs_background_100_to_011_json, sizeof(file_Scenarios_pairs_background_100_to_011_json)},
    {"Scenarios/pairs/background/100-to-100.json", file_Scenarios_pairs_background_100_to_100_json, sizeof(file_Scenarios_pairs_background_100_to_100_json)},
    {"Scenarios/pairs/background/100-to-101.json", file_Scenarios_pairs_background_100_to_101_json, sizeof(file_Scenarios_pairs_background_100_to_101_json)},
    {"Scenarios/pairs/background/100-to-110.json", file_Scenarios_pairs_background_100_to_110_json, sizeof(file_Scenarios_pairs_background_100_to_110_json)},
    {"Scenarios/pairs/background/100-to-111.json", file_Scenarios_pairs_background_100_to_111_json, sizeof(file_Scenarios_pairs_background_100_to_111_json)},
    {"Scenarios/pairs/background/101-to-000.json", file_Scenarios_pairs_background_101_to_000_json, sizeof(file_Scenarios_pairs_background_101_to_000_json)},
    {"Scenarios/pairs/background/101-to-001.json", file_Scenarios_pairs_background_101_to_001_json, sizeof(file_Scenarios_pairs_background_101_to_001_json)},
    {"Scenarios/pairs/background/101-to-010.json", file_Scenarios_pairs_background_101_to_010_json, sizeof(file_Scenarios_pairs_background_101_to_010_json)},
    {"Scenarios/pairs/background/101-to-011.json", file_Scenarios_pairs_background_101_to_011_json, sizeof(file_Scenarios_pairs_background_101_to_011_json)},
    {"Scenarios/pairs/background/101-to-100.json", file_Scenarios_pairs_background_101_to_100_json, sizeof(file_Scenarios_pairs_background_101_to_100_json)},
    {"Scenarios/pairs/background/101-to-101.json", file_Scenarios_pairs_background_101_to_101_json, sizeof(file_Scenarios_pairs_background_101_to_101_json)},
    {"Scenarios/pairs/background/101-to-110.json", file_Scenarios_pairs_background_101_to_110_json, sizeof(file_Scenarios_pairs_background_101_to_110_json)},
    {"Scenarios/pairs/background/101-to-111.json", file_Scenarios_pairs_background_101_to_111_json, sizeof(file_Scenarios_pairs_background_101_to_111_json)},
    {"Scenarios/pairs/background/110-to-000.json", file_Scenarios_pairs_background_110_to_000_json, sizeof(file_Scenarios_pairs_background_110_to_000_json)},
    {"Scenarios/pairs/background/110-to-001.json", file_Scenarios_pairs_background_110_to_001_json, sizeof(file_Scenarios_pairs_background_110_to_001_json)},
    {"Scenarios/pairs/background/110-to-010.json", file_Scenarios_pairs_background_110_to_010_json, sizeof(file_Scenarios_pairs_background_110_to_010_json)},
    {"Scenarios/pairs/background/110-to-011.json", file_Scenarios_pairs_background_110_to_011_json, sizeof(file_Scenarios_pairs_background_110_to_011_json)},
    {"Scenarios/pairs/background/110-to-100.json", file_Scenarios_pairs_background_110_to_100_json, sizeof(file_Scenarios_pairs_background_110_to_100_json)},
    {"Scenarios/pairs/background/110-to-101.json", file_Scenarios_pairs_background_110_to_101_json, sizeof(file_Scenarios_pairs_background_110_to_101_json)},
    {"Scenarios/pairs/background/110-to-110.json", file_Scenarios_pairs_background_110_to_110_json, sizeof(file_Scenarios_pairs_background_110_to_110_json)},
    {"Scenarios/pairs/background/110-to-111.json", file_Scenarios_pairs_background_110_to_111_json, sizeof(file_Scenarios_pairs_background_110_to_111_json)},
    {"Scenarios/pairs/background/111-to-000.json", file_Scenarios_pairs_background_111_to_000_json, sizeof(file_Scenarios_pairs_background_111_to_000_json)},
    {"Scenarios/pairs/background/111-to-001.json", file_Scenarios_pairs_background_111_to_001_json, sizeof(file_Scenarios_pairs_background_111_to_001_json)},
    {"Scenarios/pairs/background/111-to-010.json", file_Scenarios_pairs_background_111_to_010_json, sizeof(file_Scenarios_pairs_background_111_to_010_json)},
    {"Scenarios/pairs/background/111-to-011.json", file_Scenarios_pairs_background_111_to_011_json, sizeof(file_Scenarios_pairs_background_111_to_011_json)},
    {"Scenarios/pairs/background/111-to-100.json", file_Scenarios_pairs_background_111_to_100_json, sizeof(file_Scenarios_pairs_background_111_to_100_json)},
    {"Scenarios/pairs/background/111-to-101.json", file_Scenarios_pairs_background_111_to_101_json, sizeof(file_Scenarios_pairs_background_111_to_101_json)},
    {"Scenarios/pairs/background/111-to-110.json", file_Scenarios_pairs_background_111_to_110_json, sizeof(file_Scenarios_pairs_background_111_to_110_json)},
    {"Scenarios/pairs/background/111-to-111.json", file_Scenarios_pairs_background_111_to_111_json, sizeof(file_Scenarios_pairs_background_111_to_111_json)},
    {"Scenarios/pairs/foreground/000-to-000.json", file_Scenarios_pairs_foreground_000_to_000_json, sizeof(file_Scenarios_pairs_foreground_000_to_000_json)},
    {"Scenarios/pairs/foreground/000-to-001.json", file_Scenarios_pairs_foreground_000_to_001_json, sizeof(file_Scenarios_pairs_foreground_000_to_001_json)},
    {"Scenarios/pairs/foreground/000-to-010.json", file_Scenarios_pairs_foreground_000_to_010_json, sizeof(file_Scenarios_pairs_foreground_000_to_010_json)},
    {"Scenarios/pairs/foreground/000-to-011.json", file_Scenarios_pairs_foreground_000_to_011_json, sizeof(file_Scenarios_pairs_foreground_000_to_011_json)},
    {"Scenarios/pairs/foreground/000-to-100.json", file_Scenarios_pairs_foreground_000_to_100_json, sizeof(file_Scenarios_pairs_foreground_000_to_100_json)},
    {"Scenarios/pairs/foreground/000-to-101.json", file_Scenarios_pairs_foreground_000_to_101_json, sizeof(file_Scenarios_pairs_foreground_000_to_101_json)},
    {"Scenarios/pairs/foreground/000-to-110.json", file_Scenarios_pairs_foreground_000_to_110_json, sizeof(file_Scenarios_pairs_foreground_000_to_110_json)},
    {"Scenarios/pairs/foreground/000-to-111.json", file_Scenarios_pairs_foreground_000_to_111_json, sizeof(file_Scenarios_pairs_foreground_000_to_111_json)},
    {"Scenarios/pairs/foreground/001-to-000.json", file_Scenarios_pairs_foreground_001_to_000_json, sizeof(file_Scenarios_pairs_foreground_001_to_000_json)},
    {"Scenarios/pairs/foreground/001-to-001.json", file_Scenarios_pairs_foreground_001_to_001_json, sizeof(file_Scenarios_pairs_foreground_001_to_001_json)},
    {"Scenarios/pairs/foreground/001-to-010.json", file_Scenarios_pairs_foreground_001_to_010_json, sizeof(file_Scenarios_pairs_foreground_001_to_010_json)},
    {"Scenarios/pairs/foreground/001-to-011.json", file_Scenarios_pairs_foreground_001_to_011_json, sizeof(file_Scenarios_pairs_foreground_001_to_011_json)},
    {"Scenarios/pairs/foreground/001-to-100.json", file_Scenarios_pairs_foreground_001_to_100_json, sizeof(file_Scenarios_pairs_foreground_001_to_100_json)},
    {"Scenarios/pairs/foreground/001-to-101.json", file_Scenarios_pairs_foreground_001_to_101_json, sizeof(file_Scenarios_pairs_foreground_001_to_101_json)},
    {"Scenarios/pairs/foreground/001-to-110.json", file_Scenarios_pairs_foreground_001_to_110_json, sizeof(file_Scenarios_pairs_foreground_001_to_110_json)},
    {"Scenarios/pairs/foreground/001-to-111.json", file_Scenarios_pairs_foreground_001_to_111_json, sizeof(file_Scenarios_pairs_foreground_001_to_111_json)},
    {"Scenarios/pairs/foreground/010-to-000.json", file_Scenarios_pairs_foreground_010_to_000_json, sizeof(file_Scenarios_pairs_foreground_010_to_000_json)},
    {"Scenarios/pairs/foreground/010-to-001.json", file_Scenarios_pairs_foreground_010_to_001_json, sizeof(file_Scenarios_pairs_foreground_010_to_001_json)},
    {"Scenarios/pairs/foreground/010-to-010.json", file_Scenarios_pairs_foreground_010_to_010_json, sizeof(file_Scenarios_pairs_foreground_010_to_010_json)},
    {"Scenarios/pairs/foreground/010-to-011.json", file_Scenarios_pairs_foreground_010_to_011_json, sizeof(file_Scenarios_pairs_foreground_010_to_011_json)},
    {"Scenarios/pairs/foreground/010-to-100.json", file_Scenarios_pairs_foreground_010_to_100_json, sizeof(file_Scenarios_pairs_foreground_010_to_100_json)},
    {"Scenarios/pairs/foreground/010-to-101.json", file_Scenarios_pairs_foreground_010_to_101_json, sizeof(file_Scenarios_pairs_foreground_010_to_101_json)},
    {"Scenarios/pairs/foreground/010-to-110.json", file_Scenarios_pairs_foreground_010_to_110_json, sizeof(file_Scenarios_pairs_foreground_010_to_110_json)},
    {"Scenarios/pairs/foreground/010-to-111.json", file_Scenarios_pairs_foreground_010_to_111_json, sizeof(file_Scenarios_pairs_foreground_010_to_111_json)},
    {"Scenarios/pairs/foreground/011-to-000.json", file_Scenarios_pairs_foreground_011_to_000_json, sizeof(file_Scenarios_pairs_foreground_011_to_000_json)},
    {"Scenarios/pairs/foreground/011-to-001.json", file_Scenarios_pairs_foreground_011_to_001_json, sizeof(file_Scenarios_pairs_foreground_011_to_001_json)},
    {"Scenarios/pairs/foreground/011-to-010.json", file_Scenarios_pairs_foreground_011_to_010_json, sizeof(file_Scenarios_pairs_foreground_011_to_010_json)},
    {"Scenarios/pairs/foreground/011-to-011.json", file_Scenarios_pairs_foreground_011_to_011_json, sizeof(file_Scenarios_pairs_foreground_011_to_011_json)},
    {"Scenarios/pairs/foreground/011-to-100.json", file_Scenarios_pairs_foreground_011_to_100_json, sizeof(file_Scenarios_pairs_foreground_011_to_100_json)},
    {"Scenarios/pairs/foreground/011-to-101.json", file_Scenarios_pairs_foreground_011_to_101_json, sizeof(file_Scenarios_pairs_foreground_011_to_101_json)},
    {"Scenarios/pairs/foreground/011-to-110.json", file_Scenarios_pairs_foreground_011_to_110_json, sizeof(file_Scenarios_pairs_foreground_011_to_110_json)},
    {"Scenarios/pairs/foreground/011-to-111.json", file_Scenarios_pairs_foreground_011_to_111_json, sizeof(file_Scenarios_pairs_foreground_011_to_111_json)},
    {"Scenarios/pairs/foreground/100-to-000.json", file_Scenarios_pairs_foreground_100_to_000_json, sizeof(file_Scenarios_pairs_foreground_100_to_000_json)},
    {"Scenarios/pairs/foreground/100-to-001.json", file_Scenarios_pairs_foreground_100_to_001_json, sizeof(file_Scenarios_pairs_foreground_100_to_001_json)},
    {"Scenarios/pairs/foreground/100-to-010.json", file_Scenarios_pairs_foreground_100_to_010_json, sizeof(file_Scenarios_pairs_foreground_100_to_010_json)},
    {"Scenarios/pairs/foreground/100-to-011.json", file_Scenarios_pairs_foreground_100_to_011_json, sizeof(file_Scenarios_pairs_foreground_100_to_011_json)},
    {"Scenarios/pairs/foreground/100-to-100.json", file_Scenarios_pairs_foreground_100_to_100_json, sizeof(file_Scenarios_pairs_foreground_100_to_100_json)},
    {"Scenarios/pairs/foreground/100-to-101.json", file_Scenarios_pairs_foreground_100_to_101_json, sizeof(file_Scenarios_pairs_foreground_100_to_101_json)},
    {"Scenarios/pairs/foreground/100-to-110.json", file_Scenarios_pairs_foreground_100_to_110_json, sizeof(file_Scenarios_pairs_foreground_100_to_110_json)},
    {"Scenarios/pairs/foreground/100-to-111.json", file_Scenarios_pairs_foreground_100_to_111_json, sizeof(file_Scenarios_pairs_foreground_100_to_111_json)},
    {"Scenarios/pairs/foreground/101-to-000.json", file_Scenarios_pairs_foreground_101_to_000_json, sizeof(file_Scenarios_pairs_foreground_101_to_000_json)},
    {"Scenarios/pairs/foreground/101-to-001.json", file_Scenarios_pairs_foreground_101_to_001_json, sizeof(file_Scenarios_pairs_foreground_101_to_001_json)},
    {"Scenarios/pairs/foreground/101-to-010.json", file_Scenarios_pairs_foreground_101_to_010_json, sizeof(file_Scenarios_pairs_foreground_101_to_010_json)},
    {"Scenarios/pairs/foreground/101-to-011.json", file_Scenarios_pairs_foreground_101_to_011_json, sizeof(file_Scenarios_pairs_foreground_101_to_011_json)},
    {"Scenarios/pairs/foreground/101-to-100.json", file_Scenarios_pairs_foreground_101_to_100_json, sizeof(file_Scenarios_pairs_foreground_101_to_100_json)},
    {"Scenarios/pairs/foreground/101-to-101.json", file_Scenarios_pairs_foreground_101_to_101_json, sizeof(file_Scenarios_pairs_foreground_101_to_101_json)},
    {"Scenarios/pairs/foreground/101-to-110.json", file_Scenarios_pairs_foreground_101_to_110_json, sizeof(file_Scenarios_pairs_foreground_101_to_110_json)},
    {"Scenarios/pairs/foreground/101-to-111.json", file_Scenarios_pairs_foreground_101_to_111_json, sizeof(file_Scenarios_pairs_foreground_101_to_111_json)},
    {"Scenarios/pairs/foreground/110-to-000.json", file_Scenarios_pairs_foreground_110_to_000_json, sizeof(file_Scenarios_pairs_foreground_110_to_000_json)},
    {"Scenarios/pairs/foreground/110-to-001.json", file_Scenarios_pairs_foreground_110_to_001_json, sizeof(file_Scenarios_pairs_foreground_110_to_001_json)},
    {"Scenarios/pairs/foreground/110-to-010.json", file_Scenarios_pairs_foreground_110_to_010_json, sizeof(file_Scenarios_pairs_foreground_110_to_010_json)},
    {"Scenarios/pairs/foreground/110-to-011.json", file_Scenarios_pairs_foreground_110_to_011_json, sizeof(file_Scenarios_pairs_foreground_110_to_011_json)},
    {"Scenarios/pairs/foreground/110-to-100.json", file_Scenarios_pairs_foreground_110_to_100_json, sizeof(file_Scenarios_pairs_foreground_110_to_100_json)},
    {"Scenarios/pairs/foreground/110-to-101.json", file_Scenarios_pairs_foreground_110_to_101_json, sizeof(file_Scenarios_pairs_foreground_110_to_101_json)},
    {"Scenarios/pairs/foreground/110-to-110.json", file_Scenarios_pairs_foreground_110_to_110_json, sizeof(file_Scenarios_pairs_foreground_110_to_110_json)},
    {"Scenarios/pairs/foreground/110-to-111.json", file_Scenarios_pairs_foreground_110_to_111_json, sizeof(file_Scenarios_pairs_foreground_110_to_111_json)},
    {"Scenarios/pairs/foreground/111-to-000.json", file_Scenarios_pairs_foreground_111_to_000_json, sizeof(file_Scenarios_pairs_foreground_111_to_000_json)},
    {"Scenarios/pairs/foreground/111-to-001.json", file_Scenarios_pairs_foreground_111_to_001_json, sizeof(file_Scenarios_pairs_foreground_111_to_001_json)},
    {"Scenarios/pairs/foreground/111-to-010.json", file_Scenarios_pairs_foreground_111_to_010_json, sizeof(file_Scenarios_pairs_foreground_111_to_010_json)},
    {"Scenarios/pairs/foreground/111-to-011.json", file_Scenarios_pairs_foreground_111_to_011_json, sizeof(file_Scenarios_pairs_foreground_111_to_011_json)},
    {"Scenarios/pairs/foreground/111-to-100.json", file_Scenarios_pairs_foreground_111_to_100_json, sizeof(file_Scenarios_pairs_foreground_111_to_100_json)},
    {"Scenarios/pairs/foreground/111-to-101.json", file_Scenarios_pairs_foreground_111_to_101_json, sizeof(file_Scenarios_pairs_foreground_111_to_101_json)},
    {"Scenarios/pairs/foreground/111-to-110.json", file_Scenarios_pairs_foreground_111_to_110_json, sizeof(file_Scenarios_pairs_foreground_111_to_110_json)},
    {"Scenarios/pairs/foreground/111-to-111.json", file_Scenarios_pairs_foreground_111_to_111_json, sizeof(file_Scenarios_pairs_foreground_111_to_111_json)},
    {"Scenarios/pool/call-after-disconnect.json", file_Scenarios_pool_call_after_disconnect_json, sizeof(file_Scenarios_pool_call_after_disconnect_json)},
    {"Scenarios/pool/call-after-its-channel-is-gone.json", file_Scenarios_pool_call_after_its_channel_is_gone_json, sizeof(file_Scenarios_pool_call_after_its_channel_is_gone_json)},
    {"Scenarios/pool/call-right-after-disconnect-all.json", file_Scenarios_pool_call_right_after_disconnect_all_json, sizeof(file_Scenarios_pool_call_right_after_disconnect_all_json)},
    {"Scenarios/pool/call-within-30s-keeps-its-channel.json", file_Scenarios_pool_call_within_30s_keeps_its_channel_json, sizeof(file_Scenarios_pool_call_within_30s_keeps_its_channel_json)},
    {"Scenarios/pool/call-within-30s-starts-the-delay-anew.json", file_Scenarios_pool_call_within_30s_starts_the_delay_anew_json, sizeof(file_Scenarios_pool_call_within_30s_starts_the_delay_anew_json)},
    {"Scenarios/pool/calls-share-a-connection.json", file_Scenarios_pool_calls_share_a_connection_json, sizeof(file_Scenarios_pool_calls_share_a_connection_json)},
    {"Scenarios/pool/cancel-of-a-call-from-before-a-disconnect.json", file_Scenarios_pool_cancel_of_a_call_from_before_a_disconnect_json, sizeof(file_Scenarios_pool_cancel_of_a_call_from_before_a_disconnect_json)},
    {"Scenarios/pool/cancel-of-an-ended-call.json", file_Scenarios_pool_cancel_of_an_ended_call_json, sizeof(file_Scenarios_pool_cancel_of_an_ended_call_json)},
    {"Scenarios/pool/connects-lazily.json", file_Scenarios_pool_connects_lazily_json, sizeof(file_Scenarios_pool_connects_lazily_json)},
    {"Scenarios/pool/disconnect-all.json", file_Scenarios_pool_disconnect_all_json, sizeof(file_Scenarios_pool_disconnect_all_json)},
    {"Scenarios/pool/disconnect-one-host.json", file_Scenarios_pool_disconnect_one_host_json, sizeof(file_Scenarios_pool_disconnect_one_host_json)},
    {"Scenarios/pool/disconnect-with-waiting-calls.json", file_Scenarios_pool_disconnect_with_waiting_calls_json, sizeof(file_Scenarios_pool_disconnect_with_waiting_calls_json)},
    {"Scenarios/pool/disconnect-without-channel.json", file_Scenarios_pool_disconnect_without_channel_json, sizeof(file_Scenarios_pool_disconnect_without_channel_json)},
    {"Scenarios/pool/half-a-second.json", file_Scenarios_pool_half_a_second_json, sizeof(file_Scenarios_pool_half_a_second_json)},
    {"Scenarios/pool/long-call-keeps-its-channel.json", file_Scenarios_pool_long_call_keeps_its_channel_json, sizeof(file_Scenarios_pool_long_call_keeps_its_channel_json)},
    {"Scenarios/pool/no-port-is-443.json", file_Scenarios_pool_no_port_is_443_json, sizeof(file_Scenarios_pool_no_port_is_443_json)},
    {"Scenarios/pool/one-host-three-spellings.json", file_Scenarios_pool_one_host_three_spellings_json, sizeof(file_Scenarios_pool_one_host_three_spellings_json)},
    {"Scenarios/pool/options-in-the-key.json", file_Scenarios_pool_options_in_the_key_json, sizeof(file_Scenarios_pool_options_in_the_key_json)},
    {"Scenarios/pool/options-outside-the-key.json", file_Scenarios_pool_options_outside_the_key_json, sizeof(file_Scenarios_pool_options_outside_the_key_json)},
    {"Scenarios/pool/resolver-prefix-is-kept.json", file_Scenarios_pool_resolver_prefix_is_kept_json, sizeof(file_Scenarios_pool_resolver_prefix_is_kept_json)},
    {"Scenarios/pool/state-gone-before-anybody-looks.json", file_Scenarios_pool_state_gone_before_anybody_looks_json, sizeof(file_Scenarios_pool_state_gone_before_anybody_looks_json)},
    {"Scenarios/pool/states.json", file_Scenarios_pool_states_json, sizeof(file_Scenarios_pool_states_json)},
    {"Scenarios/pool/unused-channel-ends-after-30s.json", file_Scenarios_pool_unused_channel_ends_after_30s_json, sizeof(file_Scenarios_pool_unused_channel_ends_after_30s_json)},
    {"Scenarios/quality/end-of-a-unary-request.json", file_Scenarios_quality_end_of_a_unary_request_json, sizeof(file_Scenarios_quality_end_of_a_unary_request_json)},
    {"Scenarios/quality/flaps-round-trip-does-not-fit.json", file_Scenarios_quality_flaps_round_trip_does_not_fit_json, sizeof(file_Scenarios_quality_flaps_round_trip_does_not_fit_json)},
    {"Scenarios/quality/flaps-round-trip-fits.json", file_Scenarios_quality_flaps_round_trip_fits_json, sizeof(file_Scenarios_quality_flaps_round_trip_fits_json)},
    {"Scenarios/quality/lossy-link.json", file_Scenarios_quality_lossy_link_json, sizeof(file_Scenarios_quality_lossy_link_json)},
    {"Scenarios/quality/mtu-black-hole-with-keepalive.json", file_Scenarios_quality_mtu_black_hole_with_keepalive_json, sizeof(file_Scenarios_quality_mtu_black_hole_with_keepalive_json)},
    {"Scenarios/quality/mtu-black-hole.json", file_Scenarios_quality_mtu_black_hole_json, sizeof(file_Scenarios_quality_mtu_black_hole_json)},
    {"Scenarios/quality/mtu-told.json", file_Scenarios_quality_mtu_told_json, sizeof(file_Scenarios_quality_mtu_told_json)},
    {"Scenarios/quality/narrow-link.json", file_Scenarios_quality_narrow_link_json, sizeof(file_Scenarios_quality_narrow_link_json)},
    {"Scenarios/quality/open-connection-slows-down.json", file_Scenarios_quality_open_connection_slows_down_json, sizeof(file_Scenarios_quality_open_connection_slows_down_json)},
    {"Scenarios/quality/queued-messages-share-packets.json", file_Scenarios_quality_queued_messages_share_packets_json, sizeof(file_Scenarios_quality_queued_messages_share_packets_json)},
    {"Scenarios/quality/slow-link-hasty-keepalive.json", file_Scenarios_quality_slow_link_hasty_keepalive_json, sizeof(file_Scenarios_quality_slow_link_hasty_keepalive_json)},
    {"Scenarios/quality/slow-link-patient-keepalive.json", file_Scenarios_quality_slow_link_patient_keepalive_json, sizeof(file_Scenarios_quality_slow_link_patient_keepalive_json)},
    {"Scenarios/quality/slow-link.json", file_Scenarios_quality_slow_link_json, sizeof(file_Scenarios_quality_slow_link_json)},
    {"Scenarios/quic/an-identifier-is-left.json", file_Scenarios_quic_an_identifier_is_left_json, sizeof(file_Scenarios_quic_an_identifier_is_left_json)},
    {"Scenarios/quic/another-address.json", file_Scenarios_quic_another_address_json, sizeof(file_Scenarios_quic_another_address_json)},
    {"Scenarios/quic/another-port.json", file_Scenarios_quic_another_port_json, sizeof(file_Scenarios_quic_another_port_json)},
    {"Scenarios/quic/answer-is-read-on-return.json", file_Scenarios_quic_answer_is_read_on_return_json, sizeof(file_Scenarios_quic_answer_is_read_on_return_json)},
    {"Scenarios/quic/challenge-restarts-the-idle-timeout.json", file_Scenarios_quic_challenge_restarts_the_idle_timeout_json, sizeof(file_Scenarios_quic_challenge_restarts_the_idle_timeout_json)},
    {"Scenarios/quic/challenged-while-suspended.json", file_Scenarios_quic_challenged_while_suspended_json, sizeof(file_Scenarios_quic_challenged_while_suspended_json)},
    {"Scenarios/quic/dead-uplink.json", file_Scenarios_quic_dead_uplink_json, sizeof(file_Scenarios_quic_dead_uplink_json)},
    {"Scenarios/quic/handshake-while-suspended.json", file_Scenarios_quic_handshake_while_suspended_json, sizeof(file_Scenarios_quic_handshake_while_suspended_json)},
    {"Scenarios/quic/identifiers-used-up.json", file_Scenarios_quic_identifiers_used_up_json, sizeof(file_Scenarios_quic_identifiers_used_up_json)},
    {"Scenarios/quic/limit-reached.json", file_Scenarios_quic_limit_reached_json, sizeof(file_Scenarios_quic_limit_reached_json)},
    {"Scenarios/quic/network-lingers.json", file_Scenarios_quic_network_lingers_json, sizeof(file_Scenarios_quic_network_lingers_json)},
    {"Scenarios/quic/nobody-answers.json", file_Scenarios_quic_nobody_answers_json, sizeof(file_Scenarios_quic_nobody_answers_json)},
    {"Scenarios/quic/over-a-slow-network.json", file_Scenarios_quic_over_a_slow_network_json, sizeof(file_Scenarios_quic_over_a_slow_network_json)},
    {"Scenarios/quic/refused-by-the-server.json", file_Scenarios_quic_refused_by_the_server_json, sizeof(file_Scenarios_quic_refused_by_the_server_json)},
    {"Scenarios/quic/stopped-process-sends-nothing.json", file_Scenarios_quic_stopped_process_sends_nothing_json, sizeof(file_Scenarios_quic_stopped_process_sends_nothing_json)},
    {"Scenarios/quic/suspended.json", file_Scenarios_quic_suspended_json, sizeof(file_Scenarios_quic_suspended_json)},
    {"Scenarios/quic/there-and-back.json", file_Scenarios_quic_there_and_back_json, sizeof(file_Scenarios_quic_there_and_back_json)},
    {"Scenarios/quic/uplink-returns.json", file_Scenarios_quic_uplink_returns_json, sizeof(file_Scenarios_quic_uplink_returns_json)},
    {"Scenarios/quic/vpn-takes-all-traffic.json", file_Scenarios_quic_vpn_takes_all_traffic_json, sizeof(file_Scenarios_quic_vpn_takes_all_traffic_json)},
    {"Scenarios/quic/who-only-listens.json", file_Scenarios_quic_who_only_listens_json, sizeof(file_Scenarios_quic_who_only_listens_json)},
    {"Scenarios/quic/wifi-to-cellular.json", file_Scenarios_quic_wifi_to_cellular_json, sizeof(file_Scenarios_quic_wifi_to_cellular_json)},
    {"Scenarios/server/closes.json", file_Scenarios_server_closes_json, sizeof(file_Scenarios_server_closes_json)},
    {"Scenarios/server/falls-silent.json", file_Scenarios_server_falls_silent_json, sizeof(file_Scenarios_server_falls_silent_json)},
    {"Scenarios/server/goes-away-and-breaks.json", file_Scenarios_server_goes_away_and_breaks_json, sizeof(file_Scenarios_server_goes_away_and_breaks_json)},
    {"Scenarios/server/goes-away.json", file_Scenarios_server_goes_away_json, sizeof(file_Scenarios_server_goes_away_json)},
    {"Scenarios/server/ignores-calls-after-goaway.json", file_Scenarios_server_ignores_calls_after_goaway_json, sizeof(file_Scenarios_server_ignores_calls_after_goaway_json)},
    {"Scenarios/server/read-twice.json", file_Scenarios_server_read_twice_json, sizeof(file_Scenarios_server_read_twice_json)},
    {"Scenarios/server/reads-again.json", file_Scenarios_server_reads_again_json, sizeof(file_Scenarios_server_reads_again_json)},
    {"Scenarios/server/refuses-the-new-keeps-the-old.json", file_Scenarios_server_refuses_the_new_keeps_the_old_json, sizeof(file_Scenarios_server_refuses_the_new_keeps_the_old_json)},
    {"Scenarios/server/requests-over-each-network.json", file_Scenarios_server_requests_over_each_network_json, sizeof(file_Scenarios_server_requests_over_each_network_json)},
    {"Scenarios/server/resets.json", file_Scenarios_server_resets_json, sizeof(file_Scenarios_server_resets_json)},
    {"Scenarios/server/silent-is-no-stall.json", file_Scenarios_server_silent_is_no_stall_json, sizeof(file_Scenarios_server_silent_is_no_stall_json)},
    {"Scenarios/space/cellular-to-none-awaiting-token-connecting.json", file_Scenarios_space_cellular_to_none_awaiting_token_connecting_json, sizeof(file_Scenarios_space_cellular_to_none_awaiting_token_connecting_json)},
    {"Scenarios/space/cellular-to-none-awaiting-token-idle.json", file_Scenarios_space_cellular_to_none_awaiting_token_idle_json, sizeof(file_Scenarios_space_cellular_to_none_awaiting_token_idle_json)},
    {"Scenarios/space/cellular-to-none-awaiting-token-no-channel.json", file_Scenarios_space_cellular_to_none_awaiting_token_no_channel_json, sizeof(file_Scenarios_space_cellular_to_none_awaiting_token_no_channel_json)},
    {"Scenarios/space/cellular-to-none-awaiting-token-ready.json", file_Scenarios_space_cellular_to_none_awaiting_token_ready_json, sizeof(file_Scenarios_space_cellular_to_none_awaiting_token_ready_json)},
    {"Scenarios/space/cellular-to-none-awaiting-token-transient-failure.json", file_Scenarios_space_cellular_to_none_awaiting_token_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_none_awaiting_token_transient_failure_json)},
    {"Scenarios/space/cellular-to-none-no-call-connecting.json", file_Scenarios_space_cellular_to_none_no_call_connecting_json, sizeof(file_Scenarios_space_cellular_to_none_no_call_connecting_json)},
    {"Scenarios/space/cellular-to-none-no-call-idle.json", file_Scenarios_space_cellular_to_none_no_call_idle_json, sizeof(file_Scenarios_space_cellular_to_none_no_call_idle_json)},
    {"Scenarios/space/cellular-to-none-no-call-transient-failure.json", file_Scenarios_space_cellular_to_none_no_call_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_none_no_call_transient_failure_json)},
    {"Scenarios/space/cellular-to-none-running-connecting.json", file_Scenarios_space_cellular_to_none_running_connecting_json, sizeof(file_Scenarios_space_cellular_to_none_running_connecting_json)},
    {"Scenarios/space/cellular-to-none-running-idle.json", file_Scenarios_space_cellular_to_none_running_idle_json, sizeof(file_Scenarios_space_cellular_to_none_running_idle_json)},
    {"Scenarios/space/cellular-to-none-running-transient-failure.json", file_Scenarios_space_cellular_to_none_running_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_none_running_transient_failure_json)},
    {"Scenarios/space/cellular-to-none-waiting-connecting.json", file_Scenarios_space_cellular_to_none_waiting_connecting_json, sizeof(file_Scenarios_space_cellular_to_none_waiting_connecting_json)},
    {"Scenarios/space/cellular-to-none-waiting-idle.json", file_Scenarios_space_cellular_to_none_waiting_idle_json, sizeof(file_Scenarios_space_cellular_to_none_waiting_idle_json)},
    {"Scenarios/space/cellular-to-none-waiting-transient-failure.json", file_Scenarios_space_cellular_to_none_waiting_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_none_waiting_transient_failure_json)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-connecting.json", file_Scenarios_space_cellular_to_wifi_awaiting_token_connecting_json, sizeof(file_Scenarios_space_cellular_to_wifi_awaiting_token_connecting_json)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-idle.json", file_Scenarios_space_cellular_to_wifi_awaiting_token_idle_json, sizeof(file_Scenarios_space_cellular_to_wifi_awaiting_token_idle_json)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-no-channel.json", file_Scenarios_space_cellular_to_wifi_awaiting_token_no_channel_json, sizeof(file_Scenarios_space_cellular_to_wifi_awaiting_token_no_channel_json)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-ready.json", file_Scenarios_space_cellular_to_wifi_awaiting_token_ready_json, sizeof(file_Scenarios_space_cellular_to_wifi_awaiting_token_ready_json)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-transient-failure.json", file_Scenarios_space_cellular_to_wifi_awaiting_token_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_wifi_awaiting_token_transient_failure_json)},
    {"Scenarios/space/cellular-to-wifi-no-call-connecting.json", file_Scenarios_space_cellular_to_wifi_no_call_connecting_json, sizeof(file_Scenarios_space_cellular_to_wifi_no_call_connecting_json)},
    {"Scenarios/space/cellular-to-wifi-no-call-idle.json", file_Scenarios_space_cellular_to_wifi_no_call_idle_json, sizeof(file_Scenarios_space_cellular_to_wifi_no_call_idle_json)},
    {"Scenarios/space/cellular-to-wifi-running-connecting.json", file_Scenarios_space_cellular_to_wifi_running_connecting_json, sizeof(file_Scenarios_space_cellular_to_wifi_running_connecting_json)},
    {"Scenarios/space/cellular-to-wifi-running-idle.json", file_Scenarios_space_cellular_to_wifi_running_idle_json, sizeof(file_Scenarios_space_cellular_to_wifi_running_idle_json)},
    {"Scenarios/space/cellular-to-wifi-running-transient-failure.json", file_Scenarios_space_cellular_to_wifi_running_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_wifi_running_transient_failure_json)},
    {"Scenarios/space/cellular-to-wifi-waiting-idle.json", file_Scenarios_space_cellular_to_wifi_waiting_idle_json, sizeof(file_Scenarios_space_cellular_to_wifi_waiting_idle_json)},
    {"Scenarios/space/cellular-to-wifi-waiting-transient-failure.json", file_Scenarios_space_cellular_to_wifi_waiting_transient_failure_json, sizeof(file_Scenarios_space_cellular_to_wifi_waiting_transient_failure_json)},
    {"Scenarios/space/none-to-cellular-awaiting-token-connecting.json", file_Scenarios_space_none_to_cellular_awaiting_token_connecting_json, sizeof(file_Scenarios_space_none_to_cellular_awaiting_token_connecting_json)},
    {"Scenarios/space/none-to-cellular-awaiting-token-idle.json", file_Scenarios_space_none_to_cellular_awaiting_token_idle_json, sizeof(file_Scenarios_space_none_to_cellular_awaiting_token_idle_json)},
    {"Scenarios/space/none-to-cellular-awaiting-token-no-channel.json", file_Scenarios_space_none_to_cellular_awaiting_token_no_channel_json, sizeof(file_Scenarios_space_none_to_cellular_awaiting_token_no_channel_json)},
    {"Scenarios/space/none-to-cellular-awaiting-token-ready.json", file_Scenarios_space_none_to_cellular_awaiting_token_ready_json, sizeof(file_Scenarios_space_none_to_cellular_awaiting_token_ready_json)},
    {"Scenarios/space/none-to-cellular-awaiting-token-transient-failure.json", file_Scenarios_space_none_to_cellular_awaiting_token_transient_failure_json, sizeof(file_Scenarios_space_none_to_cellular_awaiting_token_transient_failure_json)},
    {"Scenarios/space/none-to-cellular-no-call-connecting.json", file_Scenarios_space_none_to_cellular_no_call_connecting_json, sizeof(file_Scenarios_space_none_to_cellular_no_call_connecting_json)},
    {"Scenarios/space/none-to-cellular-no-call-idle.json", file_Scenarios_space_none_to_cellular_no_call_idle_json, sizeof(file_Scenarios_space_none_to_cellular_no_call_idle_json)},
    {"Scenarios/space/none-to-cellular-no-call-ready.json", file_Scenarios_space_none_to_cellular_no_call_ready_json, sizeof(file_Scenarios_space_none_to_cellular_no_call_ready_json)},
    {"Scenarios/space/none-to-cellular-running-connecting.json", file_Scenarios_space_none_to_cellular_running_connecting_json, sizeof(file_Scenarios_space_none_to_cellular_running_connecting_json)},
    {"Scenarios/space/none-to-cellular-running-idle.json", file_Scenarios_space_none_to_cellular_running_idle_json, sizeof(file_Scenarios_space_none_to_cellular_running_idle_json)},
    {"Scenarios/space/none-to-cellular-running-ready.json", file_Scenarios_space_none_to_cellular_running_ready_json, sizeof(file_Scenarios_space_none_to_cellular_running_ready_json)},
    {"Scenarios/space/none-to-cellular-running-transient-failure.json", file_Scenarios_space_none_to_cellular_running_transient_failure_json, sizeof(file_Scenarios_space_none_to_cellular_running_transient_failure_json)},
    {"Scenarios/space/none-to-cellular-waiting-connecting.json", file_Scenarios_space_none_to_cellular_waiting_connecting_json, sizeof(file_Scenarios_space_none_to_cellular_waiting_connecting_json)},
    {"Scenarios/space/none-to-cellular-waiting-idle.json", file_Scenarios_space_none_to_cellular_waiting_idle_json, sizeof(file_Scenarios_space_none_to_cellular_waiting_idle_json)},
    {"Scenarios/space/none-to-wifi-awaiting-token-connecting.json", file_Scenarios_space_none_to_wifi_awaiting_token_connecting_json, sizeof(file_Scenarios_space_none_to_wifi_awaiting_token_connecting_json)},
    {"Scenarios/space/none-to-wifi-awaiting-token-idle.json", file_Scenarios_space_none_to_wifi_awaiting_token_idle_json, sizeof(file_Scenarios_space_none_to_wifi_awaiting_token_idle_json)},
    {"Scenarios/space/none-to-wifi-awaiting-token-no-channel.json", file_Scenarios_space_none_to_wifi_awaiting_token_no_channel_json, sizeof(file_Scenarios_space_none_to_wifi_awaiting_token_no_channel_json)},
    {"Scenarios/space/none-to-wifi-awaiting-token-ready.json", file_Scenarios_space_none_to_wifi_awaiting_token_ready_json, sizeof(file_Scenarios_space_none_to_wifi_awaiting_token_ready_json)},
    {"Scenarios/space/none-to-wifi-awaiting-token-transient-failure.json", file_Scenarios_space_none_to_wifi_awaiting_token_transient_failure_json, sizeof(file_Scenarios_space_none_to_wifi_awaiting_token_transient_failure_json)},
    {"Scenarios/space/none-to-wifi-no-call-connecting.json", file_Scenarios_space_none_to_wifi_no_call_connecting_json, sizeof(file_Scenarios_space_none_to_wifi_no_call_connecting_json)},
    {"Scenarios/space/none-to-wifi-no-call-idle.json", file_Scenarios_space_none_to_wifi_no_call_idle_json, sizeof(file_Scenarios_space_none_to_wifi_no_call_idle_json)},
    {"Scenarios/space/none-to-wifi-no-call-ready.json", file_Scenarios_space_none_to_wifi_no_call_ready_json, sizeof(file_Scenarios_space_none_to_wifi_no_call_ready_json)},
    {"Scenarios/space/none-to-wifi-running-connecting.json", file_Scenarios_space_none_to_wifi_running_connecting_json, sizeof(file_Scenarios_space_none_to_wifi_running_connecting_json)},
    {"Scenarios/space/none-to-wifi-running-idle.json", file_Scenarios_space_none_to_wifi_running_idle_json, sizeof(file_Scenarios_space_none_to_wifi_running_idle_json)},
    {"Scenarios/space/none-to-wifi-running-ready.json", file_Scenarios_space_none_to_wifi_running_ready_json, sizeof(file_Scenarios_space_none_to_wifi_running_ready_json)},
    {"Scenarios/space/none-to-wifi-running-transient-failure.json", file_Scenarios_space_none_to_wifi_running_transient_failure_json, sizeof(file_Scenarios_space_none_to_wifi_running_transient_failure_json)},
    {"Scenarios/space/none-to-wifi-waiting-connecting.json", file_Scenarios_space_none_to_wifi_waiting_connecting_json, sizeof(file_Scenarios_space_none_to_wifi_waiting_connecting_json)},
    {"Scenarios/space/none-to-wifi-waiting-idle.json", file_Scenarios_space_none_to_wifi_waiting_idle_json, sizeof(file_Scenarios_space_none_to_wifi_waiting_idle_json)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-connecting.json", file_Scenarios_space_wifi_to_cellular_awaiting_token_connecting_json, sizeof(file_Scenarios_space_wifi_to_cellular_awaiting_token_connecting_json)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-idle.json", file_Scenarios_space_wifi_to_cellular_awaiting_token_idle_json, sizeof(file_Scenarios_space_wifi_to_cellular_awaiting_token_idle_json)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-no-channel.json", file_Scenarios_space_wifi_to_cellular_awaiting_token_no_channel_json, sizeof(file_Scenarios_space_wifi_to_cellular_awaiting_token_no_channel_json)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-transient-failure.json", file_Scenarios_space_wifi_to_cellular_awaiting_token_transient_failure_json, sizeof(file_Scenarios_space_wifi_to_cellular_awaiting_token_transient_failure_json)},
    {"Scenarios/space/wifi-to-cellular-no-call-connecting.json", file_Scenarios_space_wifi_to_cellular_no_call_connecting_json, sizeof(file_Scenarios_space_wifi_to_cellular_no_call_connecting_json)},
    {"Scenarios/space/wifi-to-cellular-no-call-idle.json", file_Scenarios_space_wifi_to_cellular_no_call_idle_json, sizeof(file_Scenarios_space_wifi_to_cellular_no_call_idle_json)},
    {"Scenarios/space/wifi-to-cellular-running-connecting.json", file_Scenarios_space_wifi_to_cellular_running_connecting_json, sizeof(file_Scenarios_space_wifi_to_cellular_running_connecting_json)},
    {"Scenarios/space/wifi-to-cellular-running-idle.json", file_Scenarios_space_wifi_to_cellular_running_idle_json, sizeof(file_Scenarios_space_wifi_to_cellular_running_idle_json)},
    {"Scenarios/space/wifi-to-cellular-running-transient-failure.json", file_Scenarios_space_wifi_to_cellular_running_transient_failure_json, sizeof(file_Scenarios_space_wifi_to_cellular_running_transient_failure_json)},
    {"Scenarios/space/wifi-to-cellular-waiting-idle.json", file_Scenarios_space_wifi_to_cellular_waiting_idle_json, sizeof(file_Scenarios_space_wifi_to_cellular_waiting_idle_json)},
    {"Scenarios/space/wifi-to-cellular-waiting-transient-failure.json", file_Scenarios_space_wifi_to_cellular_waiting_transient_failure_json, sizeof(file_Scenarios_space_wifi_to_cellular_waiting_transient_failure_json)},
    {"Scenarios/space/wifi-to-none-awaiting-token-connecting.json", file_Scenarios_space_wifi_to_none_awaiting_token_connecting_json, sizeof(file_Scenarios_space_wifi_to_none_awaiting_token_connecting_json)},
    {"Scenarios/space/wifi-to-none-awaiting-token-idle.json", file_Scenarios_space_wifi_to_none_awaiting_token_idle_json, sizeof(file_Scenarios_space_wifi_to_none_awaiting_token_idle_json)},
    {"Scenarios/space/wifi-to-none-awaiting-token-no-channel.json", file_Scenarios_space_wifi_to_none_awaiting_token_no_channel_json, sizeof(file_Scenarios_space_wifi_to_none_awaiting_token_no_channel_json)},
    {"Scenarios/space/wifi-to-none-awaiting-token-ready.json", file_Scenarios_space_wifi_to_none_awaiting_token_ready_json, sizeof(file_Scenarios_space_wifi_to_none_awaiting_token_ready_json)},
    {"Scenarios/space/wifi-to-none-awaiting-token-transient-failure.json", file_Scenarios_space_wifi_to_none_awaiting_token_transient_failure_json, sizeof(file_Scenarios_space_wifi_to_none_awaiting_token_transient_failure_json)},
    {"Scenarios/space/wifi-to-none-no-call-connecting.json", file_Scenarios_space_wifi_to_none_no_call_connecting_json, sizeof(file_Scenarios_space_wifi_to_none_no_call_connecting_json)},
    {"Scenarios/space/wifi-to-none-no-call-idle.json", file_Scenarios_space_wifi_to_none_no_call_idle_json, sizeof(file_Scenarios_space_wifi_to_none_no_call_idle_json)},
    {"Scenarios/space/wifi-to-none-running-connecting.json", file_Scenarios_space_wifi_to_none_running_connecting_json, sizeof(file_Scenarios_space_wifi_to_none_running_connecting_json)},
    {"Scenarios/space/wifi-to-none-running-idle.json", file_Scenarios_space_wifi_to_none_running_idle_json, sizeof(file_Scenarios_space_wifi_to_none_running_idle_json)},
    {"Scenarios/space/wifi-to-none-running-transient-failure.json", file_Scenarios_space_wifi_to_none_running_transient_failure_json, sizeof(file_Scenarios_space_wifi_to_none_running_transient_failure_json)},
    {"Scenarios/space/wifi-to-none-waiting-idle.json", file_Scenarios_space_wifi_to_none_waiting_idle_json, sizeof(file_Scenarios_space_wifi_to_none_waiting_idle_json)},
    {"Scenarios/space/wifi-to-none-waiting-transient-failure.json", file_Scenarios_space_wifi_to_none_waiting_transient_failure_json, sizeof(file_Scenarios_space_wifi_to_none_waiting_transient_failure_json)},
    {"Scenarios/stalls/acknowledged-and-thrown-away.json", file_Scenarios_stalls_acknowledged_and_thrown_away_json, sizeof(file_Scenarios_stalls_acknowledged_and_thrown_away_json)},
    {"Scenarios/stalls/clock-pauses-during-sleep.json", file_Scenarios_stalls_clock_pauses_during_sleep_json, sizeof(file_Scenarios_stalls_clock_pauses_during_sleep_json)},
    {"Scenarios/stalls/deadline-starts-the-clock.json", file_Scenarios_stalls_deadline_starts_the_clock_json, sizeof(file_Scenarios_stalls_deadline_starts_the_clock_json)},
    {"Scenarios/stalls/five-seconds.json", file_Scenarios_stalls_five_seconds_json, sizeof(file_Scenarios_stalls_five_seconds_json)},
    {"Scenarios/stalls/half-closed.json", file_Scenarios_stalls_half_closed_json, sizeof(file_Scenarios_stalls_half_closed_json)},
    {"Scenarios/stalls/killed.json", file_Scenarios_stalls_killed_json, sizeof(file_Scenarios_stalls_killed_json)},
    {"Scenarios/stalls/nothing-written-nothing-noticed.json", file_Scenarios_stalls_nothing_written_nothing_noticed_json, sizeof(file_Scenarios_stalls_nothing_written_nothing_noticed_json)},
    {"Scenarios/stalls/quarter-of-an-hour.json", file_Scenarios_stalls_quarter_of_an_hour_json, sizeof(file_Scenarios_stalls_quarter_of_an_hour_json)},
    {"Scenarios/stalls/stall-and-resume.json", file_Scenarios_stalls_stall_and_resume_json, sizeof(file_Scenarios_stalls_stall_and_resume_json)},
    {"Scenarios/stalls/tcp-times-out.json", file_Scenarios_stalls_tcp_times_out_json, sizeof(file_Scenarios_stalls_tcp_times_out_json)},
    {"Scenarios/transitions/airplane-mode-over-cellular.json", file_Scenarios_transitions_airplane_mode_over_cellular_json, sizeof(file_Scenarios_transitions_airplane_mode_over_cellular_json)},
    {"Scenarios/transitions/away-and-back.json", file_Scenarios_transitions_away_and_back_json, sizeof(file_Scenarios_transitions_away_and_back_json)},
    {"Scenarios/transitions/call-started-at-the-same-instant.json", file_Scenarios_transitions_call_started_at_the_same_instant_json, sizeof(file_Scenarios_transitions_call_started_at_the_same_instant_json)},
    {"Scenarios/transitions/cancel-at-the-same-instant.json", file_Scenarios_transitions_cancel_at_the_same_instant_json, sizeof(file_Scenarios_transitions_cancel_at_the_same_instant_json)},
    {"Scenarios/transitions/cellular-to-wifi-unfinished-stream.json", file_Scenarios_transitions_cellular_to_wifi_unfinished_stream_json, sizeof(file_Scenarios_transitions_cellular_to_wifi_unfinished_stream_json)},
    {"Scenarios/transitions/cellular-to-wifi-unused-connection.json", file_Scenarios_transitions_cellular_to_wifi_unused_connection_json, sizeof(file_Scenarios_transitions_cellular_to_wifi_unused_connection_json)},
    {"Scenarios/transitions/cellular-to-wifi-while-connecting.json", file_Scenarios_transitions_cellular_to_wifi_while_connecting_json, sizeof(file_Scenarios_transitions_cellular_to_wifi_while_connecting_json)},
    {"Scenarios/transitions/deadline-at-the-same-instant.json", file_Scenarios_transitions_deadline_at_the_same_instant_json, sizeof(file_Scenarios_transitions_deadline_at_the_same_instant_json)},
    {"Scenarios/transitions/drains-and-connects.json", file_Scenarios_transitions_drains_and_connects_json, sizeof(file_Scenarios_transitions_drains_and_connects_json)},
    {"Scenarios/transitions/every-change-between-three.json", file_Scenarios_transitions_every_change_between_three_json, sizeof(file_Scenarios_transitions_every_change_between_three_json)},
    {"Scenarios/transitions/every-host-is-hit.json", file_Scenarios_transitions_every_host_is_hit_json, sizeof(file_Scenarios_transitions_every_host_is_hit_json)},
    {"Scenarios/transitions/first-call-at-the-same-instant.json", file_Scenarios_transitions_first_call_at_the_same_instant_json, sizeof(file_Scenarios_transitions_first_call_at_the_same_instant_json)},
    {"Scenarios/transitions/hotspot-change-with-callback.json", file_Scenarios_transitions_hotspot_change_with_callback_json, sizeof(file_Scenarios_transitions_hotspot_change_with_callback_json)},
    {"Scenarios/transitions/hotspot-change.json", file_Scenarios_transitions_hotspot_change_json, sizeof(file_Scenarios_transitions_hotspot_change_json)},
    {"Scenarios/transitions/in-the-longest-backoff.json", file_Scenarios_transitions_in_the_longest_backoff_json, sizeof(file_Scenarios_transitions_in_the_longest_backoff_json)},
    {"Scenarios/transitions/link-left-goes-down-later.json", file_Scenarios_transitions_link_left_goes_down_later_json, sizeof(file_Scenarios_transitions_link_left_goes_down_later_json)},
    {"Scenarios/transitions/link-left-stays-up.json", file_Scenarios_transitions_link_left_stays_up_json, sizeof(file_Scenarios_transitions_link_left_stays_up_json)},
    {"Scenarios/transitions/radio-change.json", file_Scenarios_transitions_radio_change_json, sizeof(file_Scenarios_transitions_radio_change_json)},
    {"Scenarios/transitions/wifi-none-wifi.json", file_Scenarios_transitions_wifi_none_wifi_json, sizeof(file_Scenarios_transitions_wifi_none_wifi_json)},
    {"Scenarios/transitions/wifi-to-cellular-while-connecting.json", file_Scenarios_transitions_wifi_to_cellular_while_connecting_json, sizeof(file_Scenarios_transitions_wifi_to_cellular_while_connecting_json)},
    {"Scenarios/transitions/wifi-to-cellular.json", file_Scenarios_transitions_wifi_to_cellular_json, sizeof(file_Scenarios_transitions_wifi_to_cellular_json)},
    {"Scenarios/transitions/wifi-to-none.json", file_Scenarios_transitions_wifi_to_none_json, sizeof(file_Scenarios_transitions_wifi_to_none_json)},
};

size_t handover_file_count(void) { return sizeof(files) / sizeof(files[0]); }

const struct handover_file *handover_file_at(size_t index) { return &files[index]; }
