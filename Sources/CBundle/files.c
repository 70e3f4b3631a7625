// Written by Tests/Tools/bundle (`make golden`): a list of files, which the compiler reads.
#include "CBundle.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../Fixtures/Backends/handover_backend.py"
};
static const unsigned char file1[] = {
#embed "../../Fixtures/Backends/reference.py"
};
static const unsigned char file2[] = {
#embed "../../Fixtures/Backends/reference_rules.py"
};
static const unsigned char file3[] = {
#embed "../../Fixtures/Backends/wrong.py"
};
static const unsigned char file4[] = {
#embed "../../Fixtures/Documents/items.json"
};
static const unsigned char file5[] = {
#embed "../../Fixtures/Documents/reasons.json"
};
static const unsigned char file6[] = {
#embed "../../Fixtures/Schemas/scenario-1.schema.json"
};
static const unsigned char file7[] = {
#embed "../../Scenarios/addresses/answers-by-network.json"
};
static const unsigned char file8[] = {
#embed "../../Scenarios/addresses/broken-ipv6-happy-eyeballs.json"
};
static const unsigned char file9[] = {
#embed "../../Scenarios/addresses/broken-ipv6-in-order.json"
};
static const unsigned char file10[] = {
#embed "../../Scenarios/addresses/family-lost.json"
};
static const unsigned char file11[] = {
#embed "../../Scenarios/addresses/name-server-fails.json"
};
static const unsigned char file12[] = {
#embed "../../Scenarios/addresses/name-server-hangs.json"
};
static const unsigned char file13[] = {
#embed "../../Scenarios/addresses/nat64.json"
};
static const unsigned char file14[] = {
#embed "../../Scenarios/background/answer-before-overdue-deadline.json"
};
static const unsigned char file15[] = {
#embed "../../Scenarios/background/back-on-the-old-hotspot.json"
};
static const unsigned char file16[] = {
#embed "../../Scenarios/background/callback-before-answer.json"
};
static const unsigned char file17[] = {
#embed "../../Scenarios/background/calls-while-it-runs.json"
};
static const unsigned char file18[] = {
#embed "../../Scenarios/background/held-callback.json"
};
static const unsigned char file19[] = {
#embed "../../Scenarios/background/hotspot-change-while-it-runs.json"
};
static const unsigned char file20[] = {
#embed "../../Scenarios/background/hotspot-change.json"
};
static const unsigned char file21[] = {
#embed "../../Scenarios/background/link-left-goes-down-later.json"
};
static const unsigned char file22[] = {
#embed "../../Scenarios/background/overdue-deadline.json"
};
static const unsigned char file23[] = {
#embed "../../Scenarios/background/round-trip-is-not-seen.json"
};
static const unsigned char file24[] = {
#embed "../../Scenarios/background/server-closes.json"
};
static const unsigned char file25[] = {
#embed "../../Scenarios/background/transition-while-it-runs.json"
};
static const unsigned char file26[] = {
#embed "../../Scenarios/background/woken-to-fetch.json"
};
static const unsigned char file27[] = {
#embed "../../Scenarios/backoff/attempt-as-long-as-the-delay.json"
};
static const unsigned char file28[] = {
#embed "../../Scenarios/backoff/attempt-without-answer.json"
};
static const unsigned char file29[] = {
#embed "../../Scenarios/backoff/broken-connection-keeps-the-instant.json"
};
static const unsigned char file30[] = {
#embed "../../Scenarios/backoff/delays-grow.json"
};
static const unsigned char file31[] = {
#embed "../../Scenarios/backoff/delays-stop-growing.json"
};
static const unsigned char file32[] = {
#embed "../../Scenarios/backoff/doubling.json"
};
static const unsigned char file33[] = {
#embed "../../Scenarios/backoff/fail-fast.json"
};
static const unsigned char file34[] = {
#embed "../../Scenarios/backoff/jitter.json"
};
static const unsigned char file35[] = {
#embed "../../Scenarios/backoff/longest-delay-of-a-call.json"
};
static const unsigned char file36[] = {
#embed "../../Scenarios/backoff/no-call-no-attempt.json"
};
static const unsigned char file37[] = {
#embed "../../Scenarios/backoff/options-of-a-call.json"
};
static const unsigned char file38[] = {
#embed "../../Scenarios/backoff/reset-after-a-long-delay.json"
};
static const unsigned char file39[] = {
#embed "../../Scenarios/backoff/reset-by-success.json"
};
static const unsigned char file40[] = {
#embed "../../Scenarios/backoff/settings-come-late.json"
};
static const unsigned char file41[] = {
#embed "../../Scenarios/backoff/silent-server-is-no-success.json"
};
static const unsigned char file42[] = {
#embed "../../Scenarios/backoff/two-minutes-at-most.json"
};
static const unsigned char file43[] = {
#embed "../../Scenarios/backoff/waits-and-fails.json"
};
static const unsigned char file44[] = {
#embed "../../Scenarios/backoff/waits-and-runs.json"
};
static const unsigned char file45[] = {
#embed "../../Scenarios/backoff/waits-until-cancelled.json"
};
static const unsigned char file46[] = {
#embed "../../Scenarios/backoff/waits-until-its-deadline.json"
};
static const unsigned char file47[] = {
#embed "../../Scenarios/bugs/f01-callbacks-without-a-change.json"
};
static const unsigned char file48[] = {
#embed "../../Scenarios/bugs/f02-other-hotspot-in-the-background.json"
};
static const unsigned char file49[] = {
#embed "../../Scenarios/bugs/f02-other-hotspot-same-category.json"
};
static const unsigned char file50[] = {
#embed "../../Scenarios/bugs/f03-same-network-after-a-gap.json"
};
static const unsigned char file51[] = {
#embed "../../Scenarios/bugs/f03-same-network-again.json"
};
static const unsigned char file52[] = {
#embed "../../Scenarios/bugs/f04-vpn-comes-and-goes.json"
};
static const unsigned char file53[] = {
#embed "../../Scenarios/bugs/f05-back-online-is-missed.json"
};
static const unsigned char file54[] = {
#embed "../../Scenarios/bugs/f06-flapping-cuts-the-backoff-short.json"
};
static const unsigned char file55[] = {
#embed "../../Scenarios/bugs/f07-wifi-to-cellular-in-the-background.json"
};
static const unsigned char file56[] = {
#embed "../../Scenarios/bugs/f08-writes-go-nowhere.json"
};
static const unsigned char file57[] = {
#embed "../../Scenarios/bugs/f09-half-open-for-a-quarter-of-an-hour.json"
};
static const unsigned char file58[] = {
#embed "../../Scenarios/bugs/f10-waits-for-connectivity.json"
};
static const unsigned char file59[] = {
#embed "../../Scenarios/bugs/f11-pooled-connection-is-dead.json"
};
static const unsigned char file60[] = {
#embed "../../Scenarios/bugs/f12-listener-hears-nothing.json"
};
static const unsigned char file61[] = {
#embed "../../Scenarios/bugs/f13-listener-and-flags-disagree.json"
};
static const unsigned char file62[] = {
#embed "../../Scenarios/bugs/f14-airplane-mode-in-the-background.json"
};
static const unsigned char file63[] = {
#embed "../../Scenarios/bugs/f14-airplane-mode.json"
};
static const unsigned char file64[] = {
#embed "../../Scenarios/bugs/f15-fails-until-the-restart.json"
};
static const unsigned char file65[] = {
#embed "../../Scenarios/bugs/f16-unresolved-name-ends-no-call.json"
};
static const unsigned char file66[] = {
#embed "../../Scenarios/bugs/f17-fails-right-after-recovery.json"
};
static const unsigned char file67[] = {
#embed "../../Scenarios/bugs/f18-monitor-overrun.json"
};
static const unsigned char file68[] = {
#embed "../../Scenarios/bugs/f18-transition-is-lost.json"
};
static const unsigned char file69[] = {
#embed "../../Scenarios/bugs/n01-network-was-down-once-with-keepalive.json"
};
static const unsigned char file70[] = {
#embed "../../Scenarios/bugs/n01-network-was-down-once.json"
};
static const unsigned char file71[] = {
#embed "../../Scenarios/bugs/n02-dead-connection-is-used-again.json"
};
static const unsigned char file72[] = {
#embed "../../Scenarios/bugs/n03-interface-fails-and-another-serves.json"
};
static const unsigned char file73[] = {
#embed "../../Scenarios/bugs/n03-interface-fails-with-keepalive.json"
};
static const unsigned char file74[] = {
#embed "../../Scenarios/bugs/n04-cancelled-calls-keep-the-dead-connection.json"
};
static const unsigned char file75[] = {
#embed "../../Scenarios/bugs/n04-cancelled-calls-with-keepalive.json"
};
static const unsigned char file76[] = {
#embed "../../Scenarios/bugs/n05-keepalive-ends-the-calls-on-the-dead-peer.json"
};
static const unsigned char file77[] = {
#embed "../../Scenarios/bugs/n06-wifi-comes-in-the-background.json"
};
static const unsigned char file78[] = {
#embed "../../Scenarios/bugs/n08-loss-is-told-after-the-successor.json"
};
static const unsigned char file79[] = {
#embed "../../Scenarios/bugs/n09-fails-at-the-instant-of-recovery.json"
};
static const unsigned char file80[] = {
#embed "../../Scenarios/bugs/n10-unblocked-in-front-and-nobody-says-so.json"
};
static const unsigned char file81[] = {
#embed "../../Scenarios/bugs/n10-unblocked-in-front-and-told.json"
};
static const unsigned char file82[] = {
#embed "../../Scenarios/bugs/n11-old-network-lingers.json"
};
static const unsigned char file83[] = {
#embed "../../Scenarios/bugs/n12-stream-stays-on-the-network-that-dies.json"
};
static const unsigned char file84[] = {
#embed "../../Scenarios/bugs/n13-walk-between-hotspots.json"
};
static const unsigned char file85[] = {
#embed "../../Scenarios/bugs/n14-router-loses-its-uplink-with-keepalive.json"
};
static const unsigned char file86[] = {
#embed "../../Scenarios/bugs/n14-router-loses-its-uplink.json"
};
static const unsigned char file87[] = {
#embed "../../Scenarios/bugs/n16-two-errors-for-each-connection.json"
};
static const unsigned char file88[] = {
#embed "../../Scenarios/bugs/n19-there-and-back-while-nobody-answers.json"
};
static const unsigned char file89[] = {
#embed "../../Scenarios/bugs/n20-socket-keeps-the-old-address.json"
};
static const unsigned char file90[] = {
#embed "../../Scenarios/bugs/n21-swapped-socket-without-a-migration.json"
};
static const unsigned char file91[] = {
#embed "../../Scenarios/bugs/n22-address-of-another-interface-is-not-heard.json"
};
static const unsigned char file92[] = {
#embed "../../Scenarios/bugs/n22-address-of-another-interface.json"
};
static const unsigned char file93[] = {
#embed "../../Scenarios/bugs/n23-pings-go-on-after-goaway.json"
};
static const unsigned char file94[] = {
#embed "../../Scenarios/bugs/n24-sends-do-not-put-the-ping-off.json"
};
static const unsigned char file95[] = {
#embed "../../Scenarios/bugs/n26-other-hotspot-with-keepalive.json"
};
static const unsigned char file96[] = {
#embed "../../Scenarios/bugs/n26-other-hotspot-with-the-same-flags.json"
};
static const unsigned char file97[] = {
#embed "../../Scenarios/bugs/n27-vpn-off-and-on-with-keepalive.json"
};
static const unsigned char file98[] = {
#embed "../../Scenarios/bugs/n27-vpn-off-and-on.json"
};
static const unsigned char file99[] = {
#embed "../../Scenarios/bugs/n28-unary-call-outlives-its-network.json"
};
static const unsigned char file100[] = {
#embed "../../Scenarios/bugs/n29-channel-lives-on-after-keepalive.json"
};
static const unsigned char file101[] = {
#embed "../../Scenarios/bugs/n31-calls-after-a-long-sleep-with-keepalive.json"
};
static const unsigned char file102[] = {
#embed "../../Scenarios/bugs/n31-calls-after-a-long-sleep.json"
};
static const unsigned char file103[] = {
#embed "../../Scenarios/bugs/n32-answers-are-lost-with-keepalive.json"
};
static const unsigned char file104[] = {
#embed "../../Scenarios/bugs/n32-answers-are-lost.json"
};
static const unsigned char file105[] = {
#embed "../../Scenarios/bugs/n33-hotspot-without-internet-with-keepalive.json"
};
static const unsigned char file106[] = {
#embed "../../Scenarios/bugs/n33-hotspot-without-internet.json"
};
static const unsigned char file107[] = {
#embed "../../Scenarios/bugs/n34-new-address-behind-the-router.json"
};
static const unsigned char file108[] = {
#embed "../../Scenarios/bugs/n34-new-address-with-keepalive.json"
};
static const unsigned char file109[] = {
#embed "../../Scenarios/bugs/n35-each-pooled-connection-hangs-once.json"
};
static const unsigned char file110[] = {
#embed "../../Scenarios/bugs/n35-each-pooled-connection-with-keepalive.json"
};
static const unsigned char file111[] = {
#embed "../../Scenarios/bugs/n37-call-outlives-a-gap.json"
};
static const unsigned char file112[] = {
#embed "../../Scenarios/bugs/n38-callbacks-of-every-network.json"
};
static const unsigned char file113[] = {
#embed "../../Scenarios/bugs/n38-callbacks-of-the-default-network.json"
};
static const unsigned char file114[] = {
#embed "../../Scenarios/bugs/n39-first-call-after-a-sleep.json"
};
static const unsigned char file115[] = {
#embed "../../Scenarios/bugs/n40-wakes-without-a-network.json"
};
static const unsigned char file116[] = {
#embed "../../Scenarios/calls/connecting-call-is-never-sent.json"
};
static const unsigned char file117[] = {
#embed "../../Scenarios/calls/deadlines-half-a-millisecond-apart.json"
};
static const unsigned char file118[] = {
#embed "../../Scenarios/calls/each-end-has-its-status.json"
};
static const unsigned char file119[] = {
#embed "../../Scenarios/calls/failed-call-is-never-sent.json"
};
static const unsigned char file120[] = {
#embed "../../Scenarios/calls/failed-write.json"
};
static const unsigned char file121[] = {
#embed "../../Scenarios/calls/finished-call-is-left-alone.json"
};
static const unsigned char file122[] = {
#embed "../../Scenarios/calls/made-and-never-started.json"
};
static const unsigned char file123[] = {
#embed "../../Scenarios/calls/made-and-not-started.json"
};
static const unsigned char file124[] = {
#embed "../../Scenarios/calls/no-channel-can-be-made.json"
};
static const unsigned char file125[] = {
#embed "../../Scenarios/calls/unavailable-not-cancelled.json"
};
static const unsigned char file126[] = {
#embed "../../Scenarios/calls/waiting-call-and-recovery.json"
};
static const unsigned char file127[] = {
#embed "../../Scenarios/calls/waits-for-its-token.json"
};
static const unsigned char file128[] = {
#embed "../../Scenarios/cfstream/an-error-ends-every-call.json"
};
static const unsigned char file129[] = {
#embed "../../Scenarios/cfstream/away-and-back-in-the-background.json"
};
static const unsigned char file130[] = {
#embed "../../Scenarios/cfstream/better-interface-and-the-old-stays-up.json"
};
static const unsigned char file131[] = {
#embed "../../Scenarios/cfstream/connect-just-in-time.json"
};
static const unsigned char file132[] = {
#embed "../../Scenarios/cfstream/connect-times-out-once.json"
};
static const unsigned char file133[] = {
#embed "../../Scenarios/cfstream/end-of-stream.json"
};
static const unsigned char file134[] = {
#embed "../../Scenarios/cfstream/event-engine-attempt-fails.json"
};
static const unsigned char file135[] = {
#embed "../../Scenarios/cfstream/event-engine-end-goes-unnoticed.json"
};
static const unsigned char file136[] = {
#embed "../../Scenarios/cfstream/event-engine-half-closed-with-keepalive.json"
};
static const unsigned char file137[] = {
#embed "../../Scenarios/cfstream/event-engine-half-closed.json"
};
static const unsigned char file138[] = {
#embed "../../Scenarios/cfstream/event-engine-loss-in-the-background.json"
};
static const unsigned char file139[] = {
#embed "../../Scenarios/cfstream/event-engine-loss-is-unknown.json"
};
static const unsigned char file140[] = {
#embed "../../Scenarios/cfstream/event-engine-reset.json"
};
static const unsigned char file141[] = {
#embed "../../Scenarios/cfstream/event-engine-tcp-times-out.json"
};
static const unsigned char file142[] = {
#embed "../../Scenarios/cfstream/event-engine-write-after-the-end.json"
};
static const unsigned char file143[] = {
#embed "../../Scenarios/cfstream/every-event-is-heard.json"
};
static const unsigned char file144[] = {
#embed "../../Scenarios/cfstream/lost-and-restored.json"
};
static const unsigned char file145[] = {
#embed "../../Scenarios/cfstream/no-monitor.json"
};
static const unsigned char file146[] = {
#embed "../../Scenarios/cfstream/partial-write.json"
};
static const unsigned char file147[] = {
#embed "../../Scenarios/cfstream/read-stream-stalls-with-keepalive.json"
};
static const unsigned char file148[] = {
#embed "../../Scenarios/cfstream/read-stream-stalls.json"
};
static const unsigned char file149[] = {
#embed "../../Scenarios/cfstream/wifi-appears.json"
};
static const unsigned char file150[] = {
#embed "../../Scenarios/cfstream/with-a-monitor-another-hotspot.json"
};
static const unsigned char file151[] = {
#embed "../../Scenarios/cfstream/with-a-monitor-both-hear.json"
};
static const unsigned char file152[] = {
#embed "../../Scenarios/cfstream/with-a-monitor-that-is-deaf.json"
};
static const unsigned char file153[] = {
#embed "../../Scenarios/clients/cellular-link-stays-up.json"
};
static const unsigned char file154[] = {
#embed "../../Scenarios/clients/cellular-to-wifi-and-killed.json"
};
static const unsigned char file155[] = {
#embed "../../Scenarios/clients/cellular-to-wifi-in-the-background.json"
};
static const unsigned char file156[] = {
#embed "../../Scenarios/clients/cellular-to-wifi.json"
};
static const unsigned char file157[] = {
#embed "../../Scenarios/clients/idle-connection.json"
};
static const unsigned char file158[] = {
#embed "../../Scenarios/clients/listen-only.json"
};
static const unsigned char file159[] = {
#embed "../../Scenarios/clients/long-poll.json"
};
static const unsigned char file160[] = {
#embed "../../Scenarios/clients/nothing-changes.json"
};
static const unsigned char file161[] = {
#embed "../../Scenarios/clients/nothing-flows.json"
};
static const unsigned char file162[] = {
#embed "../../Scenarios/clients/other-hotspot-in-the-background.json"
};
static const unsigned char file163[] = {
#embed "../../Scenarios/clients/other-hotspot.json"
};
static const unsigned char file164[] = {
#embed "../../Scenarios/clients/wifi-none-wifi.json"
};
static const unsigned char file165[] = {
#embed "../../Scenarios/clients/wifi-to-cellular.json"
};
static const unsigned char file166[] = {
#embed "../../Scenarios/clients/wifi-to-none.json"
};
static const unsigned char file167[] = {
#embed "../../Scenarios/connection-limits/admission/admitted-in-one-step.json"
};
static const unsigned char file168[] = {
#embed "../../Scenarios/connection-limits/admission/half-is-for-long-ones.json"
};
static const unsigned char file169[] = {
#embed "../../Scenarios/connection-limits/admission/ios-6.json"
};
static const unsigned char file170[] = {
#embed "../../Scenarios/connection-limits/admission/ios-7.json"
};
static const unsigned char file171[] = {
#embed "../../Scenarios/connection-limits/admission/kind-is-the-callers-word.json"
};
static const unsigned char file172[] = {
#embed "../../Scenarios/connection-limits/admission/limit-is-lowered.json"
};
static const unsigned char file173[] = {
#embed "../../Scenarios/connection-limits/admission/limit-is-raised.json"
};
static const unsigned char file174[] = {
#embed "../../Scenarios/connection-limits/admission/limit-raised-while-one-waits.json"
};
static const unsigned char file175[] = {
#embed "../../Scenarios/connection-limits/admission/long-may-be-all.json"
};
static const unsigned char file176[] = {
#embed "../../Scenarios/connection-limits/admission/macos.json"
};
static const unsigned char file177[] = {
#embed "../../Scenarios/connection-limits/admission/no-long-at-all.json"
};
static const unsigned char file178[] = {
#embed "../../Scenarios/connection-limits/admission/one-in-four.json"
};
static const unsigned char file179[] = {
#embed "../../Scenarios/connection-limits/admission/port-by-scheme.json"
};
static const unsigned char file180[] = {
#embed "../../Scenarios/connection-limits/admission/port-is-added.json"
};
static const unsigned char file181[] = {
#embed "../../Scenarios/connection-limits/admission/ports-are-endpoints.json"
};
static const unsigned char file182[] = {
#embed "../../Scenarios/connection-limits/admission/quarter-of-another-total.json"
};
static const unsigned char file183[] = {
#embed "../../Scenarios/connection-limits/admission/short-may-take-everything.json"
};
static const unsigned char file184[] = {
#embed "../../Scenarios/connection-limits/admission/trailing-dot.json"
};
static const unsigned char file185[] = {
#embed "../../Scenarios/connection-limits/admission/version-1.5.json"
};
static const unsigned char file186[] = {
#embed "../../Scenarios/connection-limits/admission/waiting-long-ones-count.json"
};
static const unsigned char file187[] = {
#embed "../../Scenarios/connection-limits/admission/waits-below-the-long-limit.json"
};
static const unsigned char file188[] = {
#embed "../../Scenarios/connection-limits/article/control-requests-get-through.json"
};
static const unsigned char file189[] = {
#embed "../../Scenarios/connection-limits/article/download-thaws-in-time.json"
};
static const unsigned char file190[] = {
#embed "../../Scenarios/connection-limits/article/downloads-freeze.json"
};
static const unsigned char file191[] = {
#embed "../../Scenarios/connection-limits/article/fails.json"
};
static const unsigned char file192[] = {
#embed "../../Scenarios/connection-limits/article/fifth-stream-freezes.json"
};
static const unsigned char file193[] = {
#embed "../../Scenarios/connection-limits/article/four-streams-live.json"
};
static const unsigned char file194[] = {
#embed "../../Scenarios/connection-limits/article/frozen-stream-thaws.json"
};
static const unsigned char file195[] = {
#embed "../../Scenarios/connection-limits/article/ignored.json"
};
static const unsigned char file196[] = {
#embed "../../Scenarios/connection-limits/article/polled.json"
};
static const unsigned char file197[] = {
#embed "../../Scenarios/connection-limits/article/queued.json"
};
static const unsigned char file198[] = {
#embed "../../Scenarios/connection-limits/article/refused.json"
};
static const unsigned char file199[] = {
#embed "../../Scenarios/connection-limits/article/seconds-are-not-noticed.json"
};
static const unsigned char file200[] = {
#embed "../../Scenarios/connection-limits/article/sixth-stream-freezes-on-ios-6.json"
};
static const unsigned char file201[] = {
#embed "../../Scenarios/connection-limits/article/told-in-advance.json"
};
static const unsigned char file202[] = {
#embed "../../Scenarios/connection-limits/article/two-names-of-one-machine.json"
};
static const unsigned char file203[] = {
#embed "../../Scenarios/connection-limits/article/which-error-was-it.json"
};
static const unsigned char file204[] = {
#embed "../../Scenarios/connection-limits/cancel/after-the-close.json"
};
static const unsigned char file205[] = {
#embed "../../Scenarios/connection-limits/cancel/close-between-polls.json"
};
static const unsigned char file206[] = {
#embed "../../Scenarios/connection-limits/cancel/close-ends-everything.json"
};
static const unsigned char file207[] = {
#embed "../../Scenarios/connection-limits/cancel/frozen-by-ignore.json"
};
static const unsigned char file208[] = {
#embed "../../Scenarios/connection-limits/cancel/frozen.json"
};
static const unsigned char file209[] = {
#embed "../../Scenarios/connection-limits/cancel/late-answer.json"
};
static const unsigned char file210[] = {
#embed "../../Scenarios/connection-limits/cancel/lets-others-move-up.json"
};
static const unsigned char file211[] = {
#embed "../../Scenarios/connection-limits/cancel/polled-at-rest.json"
};
static const unsigned char file212[] = {
#embed "../../Scenarios/connection-limits/cancel/polled-while-it-waits.json"
};
static const unsigned char file213[] = {
#embed "../../Scenarios/connection-limits/cancel/refused.json"
};
static const unsigned char file214[] = {
#embed "../../Scenarios/connection-limits/cancel/running.json"
};
static const unsigned char file215[] = {
#embed "../../Scenarios/connection-limits/cancel/synchronous.json"
};
static const unsigned char file216[] = {
#embed "../../Scenarios/connection-limits/cancel/twice.json"
};
static const unsigned char file217[] = {
#embed "../../Scenarios/connection-limits/cancel/waiting-long.json"
};
static const unsigned char file218[] = {
#embed "../../Scenarios/connection-limits/cancel/waiting.json"
};
static const unsigned char file219[] = {
#embed "../../Scenarios/connection-limits/defects/u04-letters-of-the-host.json"
};
static const unsigned char file220[] = {
#embed "../../Scenarios/connection-limits/defects/u79-at-a-transition.json"
};
static const unsigned char file221[] = {
#embed "../../Scenarios/connection-limits/defects/u79-slot-of-another-endpoint.json"
};
static const unsigned char file222[] = {
#embed "../../Scenarios/connection-limits/defects/u80-slot-freed-as-it-waits.json"
};
static const unsigned char file223[] = {
#embed "../../Scenarios/connection-limits/defects/u81-nothing-to-begin.json"
};
static const unsigned char file224[] = {
#embed "../../Scenarios/connection-limits/defects/u82-cancel-before-the-change.json"
};
static const unsigned char file225[] = {
#embed "../../Scenarios/connection-limits/defects/u82-cancel-in-the-queue.json"
};
static const unsigned char file226[] = {
#embed "../../Scenarios/connection-limits/defects/u83-no-time-out.json"
};
static const unsigned char file227[] = {
#embed "../../Scenarios/connection-limits/defects/u85-ends-as-it-starts.json"
};
static const unsigned char file228[] = {
#embed "../../Scenarios/connection-limits/defects/u85-no-network.json"
};
static const unsigned char file229[] = {
#embed "../../Scenarios/connection-limits/defects/u86-requests-are-no-connections.json"
};
static const unsigned char file230[] = {
#embed "../../Scenarios/connection-limits/defects/u87-blocked-for-ever.json"
};
static const unsigned char file231[] = {
#embed "../../Scenarios/connection-limits/faults/answer-is-discarded.json"
};
static const unsigned char file232[] = {
#embed "../../Scenarios/connection-limits/faults/behind-two-spellings.json"
};
static const unsigned char file233[] = {
#embed "../../Scenarios/connection-limits/faults/first-packets-are-lost.json"
};
static const unsigned char file234[] = {
#embed "../../Scenarios/connection-limits/faults/name-is-resolved-later.json"
};
static const unsigned char file235[] = {
#embed "../../Scenarios/connection-limits/faults/only-one-endpoint.json"
};
static const unsigned char file236[] = {
#embed "../../Scenarios/connection-limits/faults/poll-is-reset.json"
};
static const unsigned char file237[] = {
#embed "../../Scenarios/connection-limits/faults/reset-behind-a-stall.json"
};
static const unsigned char file238[] = {
#embed "../../Scenarios/connection-limits/faults/server-closes.json"
};
static const unsigned char file239[] = {
#embed "../../Scenarios/connection-limits/faults/server-comes-back.json"
};
static const unsigned char file240[] = {
#embed "../../Scenarios/connection-limits/faults/server-falls-silent-on-short-ones.json"
};
static const unsigned char file241[] = {
#embed "../../Scenarios/connection-limits/faults/server-falls-silent.json"
};
static const unsigned char file242[] = {
#embed "../../Scenarios/connection-limits/faults/server-resets.json"
};
static const unsigned char file243[] = {
#embed "../../Scenarios/connection-limits/faults/server-speaks-again.json"
};
static const unsigned char file244[] = {
#embed "../../Scenarios/connection-limits/faults/stalls-and-resumes.json"
};
static const unsigned char file245[] = {
#embed "../../Scenarios/connection-limits/faults/stalls-for-good.json"
};
static const unsigned char file246[] = {
#embed "../../Scenarios/connection-limits/http2/budget-is-used-up.json"
};
static const unsigned char file247[] = {
#embed "../../Scenarios/connection-limits/http2/cancel-ends-one-stream.json"
};
static const unsigned char file248[] = {
#embed "../../Scenarios/connection-limits/http2/goaway.json"
};
static const unsigned char file249[] = {
#embed "../../Scenarios/connection-limits/http2/long-limit-is-raised.json"
};
static const unsigned char file250[] = {
#embed "../../Scenarios/connection-limits/http2/long-part-of-the-budget.json"
};
static const unsigned char file251[] = {
#embed "../../Scenarios/connection-limits/http2/many-on-one-connection.json"
};
static const unsigned char file252[] = {
#embed "../../Scenarios/connection-limits/http2/many-streams.json"
};
static const unsigned char file253[] = {
#embed "../../Scenarios/connection-limits/http2/one-beside-http1.json"
};
static const unsigned char file254[] = {
#embed "../../Scenarios/connection-limits/http2/one-connection-for-each-pool.json"
};
static const unsigned char file255[] = {
#embed "../../Scenarios/connection-limits/http2/websocket-is-cancelled.json"
};
static const unsigned char file256[] = {
#embed "../../Scenarios/connection-limits/http2/websocket-until-the-response.json"
};
static const unsigned char file257[] = {
#embed "../../Scenarios/connection-limits/http2/websockets-are-exempt.json"
};
static const unsigned char file258[] = {
#embed "../../Scenarios/connection-limits/order/first-come.json"
};
static const unsigned char file259[] = {
#embed "../../Scenarios/connection-limits/order/frozen-one-leaves-the-spare-slots.json"
};
static const unsigned char file260[] = {
#embed "../../Scenarios/connection-limits/order/frozen-one-starts-first.json"
};
static const unsigned char file261[] = {
#embed "../../Scenarios/connection-limits/order/long-that-came-first.json"
};
static const unsigned char file262[] = {
#embed "../../Scenarios/connection-limits/order/poll-waits-for-the-only-slot.json"
};
static const unsigned char file263[] = {
#embed "../../Scenarios/connection-limits/order/polls-stand-in-line.json"
};
static const unsigned char file264[] = {
#embed "../../Scenarios/connection-limits/order/short-passes-a-waiting-long.json"
};
static const unsigned char file265[] = {
#embed "../../Scenarios/connection-limits/order/short-that-came-first.json"
};
static const unsigned char file266[] = {
#embed "../../Scenarios/connection-limits/order/slots-freed-together.json"
};
static const unsigned char file267[] = {
#embed "../../Scenarios/connection-limits/order/spare-slots-of-a-smaller-platform.json"
};
static const unsigned char file268[] = {
#embed "../../Scenarios/connection-limits/order/synchronous-stands-in-line.json"
};
static const unsigned char file269[] = {
#embed "../../Scenarios/connection-limits/order/twenty-downloads.json"
};
static const unsigned char file270[] = {
#embed "../../Scenarios/connection-limits/platform/connections-are-used-again.json"
};
static const unsigned char file271[] = {
#embed "../../Scenarios/connection-limits/platform/fifth-short-does-not-time-out.json"
};
static const unsigned char file272[] = {
#embed "../../Scenarios/connection-limits/platform/fifth-short-waits.json"
};
static const unsigned char file273[] = {
#embed "../../Scenarios/connection-limits/platform/less-than-the-total.json"
};
static const unsigned char file274[] = {
#embed "../../Scenarios/connection-limits/platform/more-than-the-total.json"
};
static const unsigned char file275[] = {
#embed "../../Scenarios/connection-limits/platform/name-hangs.json"
};
static const unsigned char file276[] = {
#embed "../../Scenarios/connection-limits/platform/name-is-unknown.json"
};
static const unsigned char file277[] = {
#embed "../../Scenarios/connection-limits/platform/no-network.json"
};
static const unsigned char file278[] = {
#embed "../../Scenarios/connection-limits/platform/one-connection-each.json"
};
static const unsigned char file279[] = {
#embed "../../Scenarios/connection-limits/platform/other-endpoints-are-free.json"
};
static const unsigned char file280[] = {
#embed "../../Scenarios/connection-limits/platform/server-refuses.json"
};
static const unsigned char file281[] = {
#embed "../../Scenarios/connection-limits/policies/enqueue-leaves-the-spare-ones.json"
};
static const unsigned char file282[] = {
#embed "../../Scenarios/connection-limits/policies/enqueue.json"
};
static const unsigned char file283[] = {
#embed "../../Scenarios/connection-limits/policies/fail.json"
};
static const unsigned char file284[] = {
#embed "../../Scenarios/connection-limits/policies/ignore.json"
};
static const unsigned char file285[] = {
#embed "../../Scenarios/connection-limits/policies/none-counts-below-the-limit.json"
};
static const unsigned char file286[] = {
#embed "../../Scenarios/connection-limits/policies/own-policy-wins.json"
};
static const unsigned char file287[] = {
#embed "../../Scenarios/connection-limits/policies/poll-every-two-seconds.json"
};
static const unsigned char file288[] = {
#embed "../../Scenarios/connection-limits/policies/poll.json"
};
static const unsigned char file289[] = {
#embed "../../Scenarios/connection-limits/policies/polled-stream-ends-of-itself.json"
};
static const unsigned char file290[] = {
#embed "../../Scenarios/connection-limits/policies/take-spare.json"
};
static const unsigned char file291[] = {
#embed "../../Scenarios/connection-limits/policies/throw.json"
};
static const unsigned char file292[] = {
#embed "../../Scenarios/connection-limits/pools/after-the-close-a-new-one.json"
};
static const unsigned char file293[] = {
#embed "../../Scenarios/connection-limits/pools/each-answers-for-itself.json"
};
static const unsigned char file294[] = {
#embed "../../Scenarios/connection-limits/pools/idle-connections-are-closed-in-time.json"
};
static const unsigned char file295[] = {
#embed "../../Scenarios/connection-limits/pools/idle-connections-freeze-the-next.json"
};
static const unsigned char file296[] = {
#embed "../../Scenarios/connection-limits/pools/limit-of-one.json"
};
static const unsigned char file297[] = {
#embed "../../Scenarios/connection-limits/pools/limits-are-of-a-dispatcher.json"
};
static const unsigned char file298[] = {
#embed "../../Scenarios/connection-limits/pools/one-dispatcher.json"
};
static const unsigned char file299[] = {
#embed "../../Scenarios/connection-limits/pools/one-is-closed.json"
};
static const unsigned char file300[] = {
#embed "../../Scenarios/connection-limits/pools/one-shared-pool.json"
};
static const unsigned char file301[] = {
#embed "../../Scenarios/connection-limits/pools/own-pool-has-an-idle-one.json"
};
static const unsigned char file302[] = {
#embed "../../Scenarios/connection-limits/pools/two-dispatchers.json"
};
static const unsigned char file303[] = {
#embed "../../Scenarios/connection-limits/prediction/after-the-close.json"
};
static const unsigned char file304[] = {
#embed "../../Scenarios/connection-limits/prediction/asking-changes-nothing.json"
};
static const unsigned char file305[] = {
#embed "../../Scenarios/connection-limits/prediction/counts-short-load.json"
};
static const unsigned char file306[] = {
#embed "../../Scenarios/connection-limits/prediction/each-kind.json"
};
static const unsigned char file307[] = {
#embed "../../Scenarios/connection-limits/prediction/each-policy.json"
};
static const unsigned char file308[] = {
#embed "../../Scenarios/connection-limits/prediction/is-no-reservation.json"
};
static const unsigned char file309[] = {
#embed "../../Scenarios/connection-limits/prediction/of-another-endpoint.json"
};
static const unsigned char file310[] = {
#embed "../../Scenarios/connection-limits/prediction/of-another-spelling.json"
};
static const unsigned char file311[] = {
#embed "../../Scenarios/connection-limits/prediction/right-after-an-end.json"
};
static const unsigned char file312[] = {
#embed "../../Scenarios/connection-limits/prediction/waiting-long-ones-count.json"
};
static const unsigned char file313[] = {
#embed "../../Scenarios/connection-limits/prediction/yes-then-no.json"
};
static const unsigned char file314[] = {
#embed "../../Scenarios/connection-limits/threads/a-failure-ends-no-thread.json"
};
static const unsigned char file315[] = {
#embed "../../Scenarios/connection-limits/threads/any-number-may-wait.json"
};
static const unsigned char file316[] = {
#embed "../../Scenarios/connection-limits/threads/collected-when-idle.json"
};
static const unsigned char file317[] = {
#embed "../../Scenarios/connection-limits/threads/each-endpoint-has-its-own.json"
};
static const unsigned char file318[] = {
#embed "../../Scenarios/connection-limits/threads/gone-at-once.json"
};
static const unsigned char file319[] = {
#embed "../../Scenarios/connection-limits/threads/made-when-needed.json"
};
static const unsigned char file320[] = {
#embed "../../Scenarios/connection-limits/threads/never-more-than-the-limit.json"
};
static const unsigned char file321[] = {
#embed "../../Scenarios/connection-limits/threads/nothing-after-the-close.json"
};
static const unsigned char file322[] = {
#embed "../../Scenarios/connection-limits/threads/spare-threads.json"
};
static const unsigned char file323[] = {
#embed "../../Scenarios/connection-limits/threads/steady-work-keeps-one.json"
};
static const unsigned char file324[] = {
#embed "../../Scenarios/connection-limits/threads/taken-again-in-time.json"
};
static const unsigned char file325[] = {
#embed "../../Scenarios/connection-limits/threads/the-close-ends-them.json"
};
static const unsigned char file326[] = {
#embed "../../Scenarios/connection-limits/threads/the-latest-is-taken-first.json"
};
static const unsigned char file327[] = {
#embed "../../Scenarios/connection-limits/threads/times-of-ones-own.json"
};
static const unsigned char file328[] = {
#embed "../../Scenarios/connection-limits/time-outs/after-the-end.json"
};
static const unsigned char file329[] = {
#embed "../../Scenarios/connection-limits/time-outs/data-begins-it-anew.json"
};
static const unsigned char file330[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-between-polls.json"
};
static const unsigned char file331[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-while-it-is-frozen.json"
};
static const unsigned char file332[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-while-it-runs.json"
};
static const unsigned char file333[] = {
#embed "../../Scenarios/connection-limits/time-outs/deadline-while-it-waits.json"
};
static const unsigned char file334[] = {
#embed "../../Scenarios/connection-limits/time-outs/long-until-the-response.json"
};
static const unsigned char file335[] = {
#embed "../../Scenarios/connection-limits/time-outs/long-without-a-response.json"
};
static const unsigned char file336[] = {
#embed "../../Scenarios/connection-limits/time-outs/none.json"
};
static const unsigned char file337[] = {
#embed "../../Scenarios/connection-limits/time-outs/slot-is-freed-too-late.json"
};
static const unsigned char file338[] = {
#embed "../../Scenarios/connection-limits/time-outs/slot-is-freed.json"
};
static const unsigned char file339[] = {
#embed "../../Scenarios/connection-limits/time-outs/synchronous-from-its-arrival.json"
};
static const unsigned char file340[] = {
#embed "../../Scenarios/connection-limits/time-outs/usual-one-is-a-minute.json"
};
static const unsigned char file341[] = {
#embed "../../Scenarios/connection-limits/time-outs/waiting-is-charged.json"
};
static const unsigned char file342[] = {
#embed "../../Scenarios/connection-limits/time-outs/waiting-is-not-charged.json"
};
static const unsigned char file343[] = {
#embed "../../Scenarios/connection-limits/time-outs/whole-transfer.json"
};
static const unsigned char file344[] = {
#embed "../../Scenarios/connection-limits/transitions/answer-in-the-background.json"
};
static const unsigned char file345[] = {
#embed "../../Scenarios/connection-limits/transitions/at-the-same-instant.json"
};
static const unsigned char file346[] = {
#embed "../../Scenarios/connection-limits/transitions/away-and-back-in-the-background.json"
};
static const unsigned char file347[] = {
#embed "../../Scenarios/connection-limits/transitions/background-and-return.json"
};
static const unsigned char file348[] = {
#embed "../../Scenarios/connection-limits/transitions/callback-without-a-change.json"
};
static const unsigned char file349[] = {
#embed "../../Scenarios/connection-limits/transitions/cellular-to-none.json"
};
static const unsigned char file350[] = {
#embed "../../Scenarios/connection-limits/transitions/cellular-to-wifi.json"
};
static const unsigned char file351[] = {
#embed "../../Scenarios/connection-limits/transitions/deadline-of-a-poll-in-the-background.json"
};
static const unsigned char file352[] = {
#embed "../../Scenarios/connection-limits/transitions/enqueue.json"
};
static const unsigned char file353[] = {
#embed "../../Scenarios/connection-limits/transitions/every-endpoint-is-hit.json"
};
static const unsigned char file354[] = {
#embed "../../Scenarios/connection-limits/transitions/fail.json"
};
static const unsigned char file355[] = {
#embed "../../Scenarios/connection-limits/transitions/gone-in-the-background.json"
};
static const unsigned char file356[] = {
#embed "../../Scenarios/connection-limits/transitions/hotspot-change-in-the-background.json"
};
static const unsigned char file357[] = {
#embed "../../Scenarios/connection-limits/transitions/hotspot-change.json"
};
static const unsigned char file358[] = {
#embed "../../Scenarios/connection-limits/transitions/http2.json"
};
static const unsigned char file359[] = {
#embed "../../Scenarios/connection-limits/transitions/idle-connections-go.json"
};
static const unsigned char file360[] = {
#embed "../../Scenarios/connection-limits/transitions/ignore-in-the-background.json"
};
static const unsigned char file361[] = {
#embed "../../Scenarios/connection-limits/transitions/ignore-to-none.json"
};
static const unsigned char file362[] = {
#embed "../../Scenarios/connection-limits/transitions/ignore.json"
};
static const unsigned char file363[] = {
#embed "../../Scenarios/connection-limits/transitions/in-the-background.json"
};
static const unsigned char file364[] = {
#embed "../../Scenarios/connection-limits/transitions/less-than-the-total.json"
};
static const unsigned char file365[] = {
#embed "../../Scenarios/connection-limits/transitions/limit-holds-after-it.json"
};
static const unsigned char file366[] = {
#embed "../../Scenarios/connection-limits/transitions/limit-lowered-before-it.json"
};
static const unsigned char file367[] = {
#embed "../../Scenarios/connection-limits/transitions/none-to-cellular.json"
};
static const unsigned char file368[] = {
#embed "../../Scenarios/connection-limits/transitions/none-to-wifi.json"
};
static const unsigned char file369[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-across-a-gap.json"
};
static const unsigned char file370[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-at-rest.json"
};
static const unsigned char file371[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-in-the-background.json"
};
static const unsigned char file372[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-into-none.json"
};
static const unsigned char file373[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-that-waits.json"
};
static const unsigned char file374[] = {
#embed "../../Scenarios/connection-limits/transitions/poll-under-way.json"
};
static const unsigned char file375[] = {
#embed "../../Scenarios/connection-limits/transitions/synchronous-is-woken.json"
};
static const unsigned char file376[] = {
#embed "../../Scenarios/connection-limits/transitions/take-spare-to-none.json"
};
static const unsigned char file377[] = {
#embed "../../Scenarios/connection-limits/transitions/take-spare.json"
};
static const unsigned char file378[] = {
#embed "../../Scenarios/connection-limits/transitions/throw.json"
};
static const unsigned char file379[] = {
#embed "../../Scenarios/connection-limits/transitions/time-out-in-the-background.json"
};
static const unsigned char file380[] = {
#embed "../../Scenarios/connection-limits/transitions/twice-in-a-row.json"
};
static const unsigned char file381[] = {
#embed "../../Scenarios/connection-limits/transitions/two-dispatchers.json"
};
static const unsigned char file382[] = {
#embed "../../Scenarios/connection-limits/transitions/waiting-and-timed-out.json"
};
static const unsigned char file383[] = {
#embed "../../Scenarios/connection-limits/transitions/waiting-is-charged-across-it.json"
};
static const unsigned char file384[] = {
#embed "../../Scenarios/connection-limits/transitions/websockets-are-lost.json"
};
static const unsigned char file385[] = {
#embed "../../Scenarios/connection-limits/transitions/while-connecting.json"
};
static const unsigned char file386[] = {
#embed "../../Scenarios/connection-limits/transitions/wifi-none-wifi.json"
};
static const unsigned char file387[] = {
#embed "../../Scenarios/connection-limits/transitions/wifi-to-cellular.json"
};
static const unsigned char file388[] = {
#embed "../../Scenarios/connection-limits/transitions/wifi-to-none.json"
};
static const unsigned char file389[] = {
#embed "../../Scenarios/interceptors/cache/cellular-to-none.json"
};
static const unsigned char file390[] = {
#embed "../../Scenarios/interceptors/cache/cellular-to-wifi.json"
};
static const unsigned char file391[] = {
#embed "../../Scenarios/interceptors/cache/none-to-cellular.json"
};
static const unsigned char file392[] = {
#embed "../../Scenarios/interceptors/cache/none-to-wifi.json"
};
static const unsigned char file393[] = {
#embed "../../Scenarios/interceptors/cache/wifi-to-cellular.json"
};
static const unsigned char file394[] = {
#embed "../../Scenarios/interceptors/cache/wifi-to-none.json"
};
static const unsigned char file395[] = {
#embed "../../Scenarios/interceptors/chain/bidi.json"
};
static const unsigned char file396[] = {
#embed "../../Scenarios/interceptors/chain/cancel-and-transition.json"
};
static const unsigned char file397[] = {
#embed "../../Scenarios/interceptors/chain/cancel-before-the-start.json"
};
static const unsigned char file398[] = {
#embed "../../Scenarios/interceptors/chain/cancel-is-forwarded.json"
};
static const unsigned char file399[] = {
#embed "../../Scenarios/interceptors/chain/cancel-while-it-waits.json"
};
static const unsigned char file400[] = {
#embed "../../Scenarios/interceptors/chain/cancel-words-of-the-transport.json"
};
static const unsigned char file401[] = {
#embed "../../Scenarios/interceptors/chain/cancel.json"
};
static const unsigned char file402[] = {
#embed "../../Scenarios/interceptors/chain/close-is-swallowed.json"
};
static const unsigned char file403[] = {
#embed "../../Scenarios/interceptors/chain/closes-twice.json"
};
static const unsigned char file404[] = {
#embed "../../Scenarios/interceptors/chain/does-not-shut-down.json"
};
static const unsigned char file405[] = {
#embed "../../Scenarios/interceptors/chain/eager-short-circuit.json"
};
static const unsigned char file406[] = {
#embed "../../Scenarios/interceptors/chain/factory-makes-nothing.json"
};
static const unsigned char file407[] = {
#embed "../../Scenarios/interceptors/chain/first-made-with-the-call.json"
};
static const unsigned char file408[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-and-failure.json"
};
static const unsigned char file409[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-early.json"
};
static const unsigned char file410[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-holds-the-close.json"
};
static const unsigned char file411[] = {
#embed "../../Scenarios/interceptors/chain/flow-control-off.json"
};
static const unsigned char file412[] = {
#embed "../../Scenarios/interceptors/chain/flow-control.json"
};
static const unsigned char file413[] = {
#embed "../../Scenarios/interceptors/chain/global-comes-last.json"
};
static const unsigned char file414[] = {
#embed "../../Scenarios/interceptors/chain/global-is-off.json"
};
static const unsigned char file415[] = {
#embed "../../Scenarios/interceptors/chain/hijack.json"
};
static const unsigned char file416[] = {
#embed "../../Scenarios/interceptors/chain/leaves-the-next-running.json"
};
static const unsigned char file417[] = {
#embed "../../Scenarios/interceptors/chain/legacy-call.json"
};
static const unsigned char file418[] = {
#embed "../../Scenarios/interceptors/chain/made-at-once.json"
};
static const unsigned char file419[] = {
#embed "../../Scenarios/interceptors/chain/made-when-first-needed.json"
};
static const unsigned char file420[] = {
#embed "../../Scenarios/interceptors/chain/made-when-needed.json"
};
static const unsigned char file421[] = {
#embed "../../Scenarios/interceptors/chain/made-when-the-call-starts.json"
};
static const unsigned char file422[] = {
#embed "../../Scenarios/interceptors/chain/made-with-the-call.json"
};
static const unsigned char file423[] = {
#embed "../../Scenarios/interceptors/chain/marshaller-fails.json"
};
static const unsigned char file424[] = {
#embed "../../Scenarios/interceptors/chain/marshaller.json"
};
static const unsigned char file425[] = {
#embed "../../Scenarios/interceptors/chain/message-after-the-close.json"
};
static const unsigned char file426[] = {
#embed "../../Scenarios/interceptors/chain/metadata-after-a-message.json"
};
static const unsigned char file427[] = {
#embed "../../Scenarios/interceptors/chain/metadata-with-the-first-message.json"
};
static const unsigned char file428[] = {
#embed "../../Scenarios/interceptors/chain/no-factory-makes-anything.json"
};
static const unsigned char file429[] = {
#embed "../../Scenarios/interceptors/chain/order.json"
};
static const unsigned char file430[] = {
#embed "../../Scenarios/interceptors/chain/queues-concurrent.json"
};
static const unsigned char file431[] = {
#embed "../../Scenarios/interceptors/chain/queues-own.json"
};
static const unsigned char file432[] = {
#embed "../../Scenarios/interceptors/chain/queues-separate.json"
};
static const unsigned char file433[] = {
#embed "../../Scenarios/interceptors/chain/queues-shared.json"
};
static const unsigned char file434[] = {
#embed "../../Scenarios/interceptors/chain/requests-after-the-end.json"
};
static const unsigned char file435[] = {
#embed "../../Scenarios/interceptors/chain/requests-out-of-order.json"
};
static const unsigned char file436[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-channel-options.json"
};
static const unsigned char file437[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-deadline.json"
};
static const unsigned char file438[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-fail-fast.json"
};
static const unsigned char file439[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-flow-control.json"
};
static const unsigned char file440[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-headers.json"
};
static const unsigned char file441[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-host.json"
};
static const unsigned char file442[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-interceptors-lazily.json"
};
static const unsigned char file443[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-interceptors.json"
};
static const unsigned char file444[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-messages.json"
};
static const unsigned char file445[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-path-for-the-server.json"
};
static const unsigned char file446[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-path.json"
};
static const unsigned char file447[] = {
#embed "../../Scenarios/interceptors/chain/rewrite-verb.json"
};
static const unsigned char file448[] = {
#embed "../../Scenarios/interceptors/chain/several-writes.json"
};
static const unsigned char file449[] = {
#embed "../../Scenarios/interceptors/chain/shuts-down-early.json"
};
static const unsigned char file450[] = {
#embed "../../Scenarios/interceptors/chain/starts-twice.json"
};
static const unsigned char file451[] = {
#embed "../../Scenarios/interceptors/chain/state-of-one-call.json"
};
static const unsigned char file452[] = {
#embed "../../Scenarios/interceptors/chain/suspended-as-calls-start.json"
};
static const unsigned char file453[] = {
#embed "../../Scenarios/interceptors/chain/turns-drawn.json"
};
static const unsigned char file454[] = {
#embed "../../Scenarios/interceptors/chain/unary-across-a-change.json"
};
static const unsigned char file455[] = {
#embed "../../Scenarios/interceptors/chain/writes-before-the-start.json"
};
static const unsigned char file456[] = {
#embed "../../Scenarios/interceptors/logging/cellular-to-none.json"
};
static const unsigned char file457[] = {
#embed "../../Scenarios/interceptors/logging/cellular-to-wifi.json"
};
static const unsigned char file458[] = {
#embed "../../Scenarios/interceptors/logging/none-to-cellular.json"
};
static const unsigned char file459[] = {
#embed "../../Scenarios/interceptors/logging/none-to-wifi.json"
};
static const unsigned char file460[] = {
#embed "../../Scenarios/interceptors/logging/wifi-to-cellular.json"
};
static const unsigned char file461[] = {
#embed "../../Scenarios/interceptors/logging/wifi-to-none.json"
};
static const unsigned char file462[] = {
#embed "../../Scenarios/interceptors/metrics/cellular-to-none.json"
};
static const unsigned char file463[] = {
#embed "../../Scenarios/interceptors/metrics/cellular-to-wifi.json"
};
static const unsigned char file464[] = {
#embed "../../Scenarios/interceptors/metrics/none-to-cellular.json"
};
static const unsigned char file465[] = {
#embed "../../Scenarios/interceptors/metrics/none-to-wifi.json"
};
static const unsigned char file466[] = {
#embed "../../Scenarios/interceptors/metrics/wifi-to-cellular.json"
};
static const unsigned char file467[] = {
#embed "../../Scenarios/interceptors/metrics/wifi-to-none.json"
};
static const unsigned char file468[] = {
#embed "../../Scenarios/interceptors/mock/cellular-to-none.json"
};
static const unsigned char file469[] = {
#embed "../../Scenarios/interceptors/mock/cellular-to-wifi.json"
};
static const unsigned char file470[] = {
#embed "../../Scenarios/interceptors/mock/none-to-cellular.json"
};
static const unsigned char file471[] = {
#embed "../../Scenarios/interceptors/mock/none-to-wifi.json"
};
static const unsigned char file472[] = {
#embed "../../Scenarios/interceptors/mock/wifi-to-cellular.json"
};
static const unsigned char file473[] = {
#embed "../../Scenarios/interceptors/mock/wifi-to-none.json"
};
static const unsigned char file474[] = {
#embed "../../Scenarios/interceptors/retry/cellular-to-none.json"
};
static const unsigned char file475[] = {
#embed "../../Scenarios/interceptors/retry/cellular-to-wifi.json"
};
static const unsigned char file476[] = {
#embed "../../Scenarios/interceptors/retry/deadline.json"
};
static const unsigned char file477[] = {
#embed "../../Scenarios/interceptors/retry/none-to-cellular.json"
};
static const unsigned char file478[] = {
#embed "../../Scenarios/interceptors/retry/none-to-wifi.json"
};
static const unsigned char file479[] = {
#embed "../../Scenarios/interceptors/retry/wifi-to-cellular.json"
};
static const unsigned char file480[] = {
#embed "../../Scenarios/interceptors/retry/wifi-to-none.json"
};
static const unsigned char file481[] = {
#embed "../../Scenarios/interceptors/token/cellular-to-none.json"
};
static const unsigned char file482[] = {
#embed "../../Scenarios/interceptors/token/cellular-to-wifi.json"
};
static const unsigned char file483[] = {
#embed "../../Scenarios/interceptors/token/none-to-cellular.json"
};
static const unsigned char file484[] = {
#embed "../../Scenarios/interceptors/token/none-to-wifi.json"
};
static const unsigned char file485[] = {
#embed "../../Scenarios/interceptors/token/wifi-to-cellular.json"
};
static const unsigned char file486[] = {
#embed "../../Scenarios/interceptors/token/wifi-to-none.json"
};
static const unsigned char file487[] = {
#embed "../../Scenarios/keepalive/cellular-to-wifi.json"
};
static const unsigned char file488[] = {
#embed "../../Scenarios/keepalive/hotspot-change-in-the-background.json"
};
static const unsigned char file489[] = {
#embed "../../Scenarios/keepalive/no-call-no-ping.json"
};
static const unsigned char file490[] = {
#embed "../../Scenarios/keepalive/options-of-a-call.json"
};
static const unsigned char file491[] = {
#embed "../../Scenarios/keepalive/ping-starts-the-clock.json"
};
static const unsigned char file492[] = {
#embed "../../Scenarios/keepalive/ping-unanswered.json"
};
static const unsigned char file493[] = {
#embed "../../Scenarios/keepalive/ping-without-calls.json"
};
static const unsigned char file494[] = {
#embed "../../Scenarios/keepalive/server-falls-silent.json"
};
static const unsigned char file495[] = {
#embed "../../Scenarios/keepalive/with-and-without.json"
};
static const unsigned char file496[] = {
#embed "../../Scenarios/keepalive/without-it-the-hotspot-change-stays.json"
};
static const unsigned char file497[] = {
#embed "../../Scenarios/monitor/callback-late-for-a-healthy-connection.json"
};
static const unsigned char file498[] = {
#embed "../../Scenarios/monitor/callback-late.json"
};
static const unsigned char file499[] = {
#embed "../../Scenarios/monitor/callback-lost-and-made-good.json"
};
static const unsigned char file500[] = {
#embed "../../Scenarios/monitor/callback-takes-time.json"
};
static const unsigned char file501[] = {
#embed "../../Scenarios/monitor/callback-twice.json"
};
static const unsigned char file502[] = {
#embed "../../Scenarios/monitor/deaf.json"
};
static const unsigned char file503[] = {
#embed "../../Scenarios/monitor/initial-read-is-silent.json"
};
static const unsigned char file504[] = {
#embed "../../Scenarios/monitor/none-to-cellular.json"
};
static const unsigned char file505[] = {
#embed "../../Scenarios/monitor/none-to-wifi.json"
};
static const unsigned char file506[] = {
#embed "../../Scenarios/monitor/on-linux-another-category.json"
};
static const unsigned char file507[] = {
#embed "../../Scenarios/monitor/on-linux-another-hotspot.json"
};
static const unsigned char file508[] = {
#embed "../../Scenarios/monitor/other-flags-are-ignored.json"
};
static const unsigned char file509[] = {
#embed "../../Scenarios/monitor/overrun-hides-a-round-trip.json"
};
static const unsigned char file510[] = {
#embed "../../Scenarios/monitor/overrun-reads-afresh.json"
};
static const unsigned char file511[] = {
#embed "../../Scenarios/monitor/table-000-none.json"
};
static const unsigned char file512[] = {
#embed "../../Scenarios/monitor/table-001-none.json"
};
static const unsigned char file513[] = {
#embed "../../Scenarios/monitor/table-010-none.json"
};
static const unsigned char file514[] = {
#embed "../../Scenarios/monitor/table-011-none.json"
};
static const unsigned char file515[] = {
#embed "../../Scenarios/monitor/table-100-wifi.json"
};
static const unsigned char file516[] = {
#embed "../../Scenarios/monitor/table-101-cellular.json"
};
static const unsigned char file517[] = {
#embed "../../Scenarios/monitor/table-110-none.json"
};
static const unsigned char file518[] = {
#embed "../../Scenarios/monitor/table-111-none.json"
};
static const unsigned char file519[] = {
#embed "../../Scenarios/monitor/unknown-start-to-cellular.json"
};
static const unsigned char file520[] = {
#embed "../../Scenarios/monitor/unknown-start-to-none.json"
};
static const unsigned char file521[] = {
#embed "../../Scenarios/monitor/unknown-start-to-wifi.json"
};
static const unsigned char file522[] = {
#embed "../../Scenarios/names/look-up-ends-without-a-network.json"
};
static const unsigned char file523[] = {
#embed "../../Scenarios/names/look-up-outlives-a-hotspot.json"
};
static const unsigned char file524[] = {
#embed "../../Scenarios/names/look-up-outlives-its-path.json"
};
static const unsigned char file525[] = {
#embed "../../Scenarios/names/open-connection-needs-no-name.json"
};
static const unsigned char file526[] = {
#embed "../../Scenarios/names/resolution-fails-at-first.json"
};
static const unsigned char file527[] = {
#embed "../../Scenarios/names/resolution-fails.json"
};
static const unsigned char file528[] = {
#embed "../../Scenarios/names/resolution-hangs.json"
};
static const unsigned char file529[] = {
#embed "../../Scenarios/names/resolution-never-answers.json"
};
static const unsigned char file530[] = {
#embed "../../Scenarios/networks/intranet-over-another-network.json"
};
static const unsigned char file531[] = {
#embed "../../Scenarios/networks/portal.json"
};
static const unsigned char file532[] = {
#embed "../../Scenarios/networks/same-address-roam.json"
};
static const unsigned char file533[] = {
#embed "../../Scenarios/networks/unknown-flows-are-reset.json"
};
static const unsigned char file534[] = {
#embed "../../Scenarios/order/anybody-hears-first.json"
};
static const unsigned char file535[] = {
#embed "../../Scenarios/order/callback-before-the-next-call.json"
};
static const unsigned char file536[] = {
#embed "../../Scenarios/order/calls-hear-first.json"
};
static const unsigned char file537[] = {
#embed "../../Scenarios/order/deadline-before-the-answer.json"
};
static const unsigned char file538[] = {
#embed "../../Scenarios/order/loss-before-its-callback.json"
};
static const unsigned char file539[] = {
#embed "../../Scenarios/order/pool-hears-first.json"
};
static const unsigned char file540[] = {
#embed "../../Scenarios/pairs/background/000-to-000.json"
};
static const unsigned char file541[] = {
#embed "../../Scenarios/pairs/background/000-to-001.json"
};
static const unsigned char file542[] = {
#embed "../../Scenarios/pairs/background/000-to-010.json"
};
static const unsigned char file543[] = {
#embed "../../Scenarios/pairs/background/000-to-011.json"
};
static const unsigned char file544[] = {
#embed "../../Scenarios/pairs/background/000-to-100.json"
};
static const unsigned char file545[] = {
#embed "../../Scenarios/pairs/background/000-to-101.json"
};
static const unsigned char file546[] = {
#embed "../../Scenarios/pairs/background/000-to-110.json"
};
static const unsigned char file547[] = {
#embed "../../Scenarios/pairs/background/000-to-111.json"
};
static const unsigned char file548[] = {
#embed "../../Scenarios/pairs/background/001-to-000.json"
};
static const unsigned char file549[] = {
#embed "../../Scenarios/pairs/background/001-to-001.json"
};
static const unsigned char file550[] = {
#embed "../../Scenarios/pairs/background/001-to-010.json"
};
static const unsigned char file551[] = {
#embed "../../Scenarios/pairs/background/001-to-011.json"
};
static const unsigned char file552[] = {
#embed "../../Scenarios/pairs/background/001-to-100.json"
};
static const unsigned char file553[] = {
#embed "../../Scenarios/pairs/background/001-to-101.json"
};
static const unsigned char file554[] = {
#embed "../../Scenarios/pairs/background/001-to-110.json"
};
static const unsigned char file555[] = {
#embed "../../Scenarios/pairs/background/001-to-111.json"
};
static const unsigned char file556[] = {
#embed "../../Scenarios/pairs/background/010-to-000.json"
};
static const unsigned char file557[] = {
#embed "../../Scenarios/pairs/background/010-to-001.json"
};
static const unsigned char file558[] = {
#embed "../../Scenarios/pairs/background/010-to-010.json"
};
static const unsigned char file559[] = {
#embed "../../Scenarios/pairs/background/010-to-011.json"
};
static const unsigned char file560[] = {
#embed "../../Scenarios/pairs/background/010-to-100.json"
};
static const unsigned char file561[] = {
#embed "../../Scenarios/pairs/background/010-to-101.json"
};
static const unsigned char file562[] = {
#embed "../../Scenarios/pairs/background/010-to-110.json"
};
static const unsigned char file563[] = {
#embed "../../Scenarios/pairs/background/010-to-111.json"
};
static const unsigned char file564[] = {
#embed "../../Scenarios/pairs/background/011-to-000.json"
};
static const unsigned char file565[] = {
#embed "../../Scenarios/pairs/background/011-to-001.json"
};
static const unsigned char file566[] = {
#embed "../../Scenarios/pairs/background/011-to-010.json"
};
static const unsigned char file567[] = {
#embed "../../Scenarios/pairs/background/011-to-011.json"
};
static const unsigned char file568[] = {
#embed "../../Scenarios/pairs/background/011-to-100.json"
};
static const unsigned char file569[] = {
#embed "../../Scenarios/pairs/background/011-to-101.json"
};
static const unsigned char file570[] = {
#embed "../../Scenarios/pairs/background/011-to-110.json"
};
static const unsigned char file571[] = {
#embed "../../Scenarios/pairs/background/011-to-111.json"
};
static const unsigned char file572[] = {
#embed "../../Scenarios/pairs/background/100-to-000.json"
};
static const unsigned char file573[] = {
#embed "../../Scenarios/pairs/background/100-to-001.json"
};
static const unsigned char file574[] = {
#embed "../../Scenarios/pairs/background/100-to-010.json"
};
static const unsigned char file575[] = {
#embed "../../Scenarios/pairs/background/100-to-011.json"
};
static const unsigned char file576[] = {
#embed "../../Scenarios/pairs/background/100-to-100.json"
};
static const unsigned char file577[] = {
#embed "../../Scenarios/pairs/background/100-to-101.json"
};
static const unsigned char file578[] = {
#embed "../../Scenarios/pairs/background/100-to-110.json"
};
static const unsigned char file579[] = {
#embed "../../Scenarios/pairs/background/100-to-111.json"
};
static const unsigned char file580[] = {
#embed "../../Scenarios/pairs/background/101-to-000.json"
};
static const unsigned char file581[] = {
#embed "../../Scenarios/pairs/background/101-to-001.json"
};
static const unsigned char file582[] = {
#embed "../../Scenarios/pairs/background/101-to-010.json"
};
static const unsigned char file583[] = {
#embed "../../Scenarios/pairs/background/101-to-011.json"
};
static const unsigned char file584[] = {
#embed "../../Scenarios/pairs/background/101-to-100.json"
};
static const unsigned char file585[] = {
#embed "../../Scenarios/pairs/background/101-to-101.json"
};
static const unsigned char file586[] = {
#embed "../../Scenarios/pairs/background/101-to-110.json"
};
static const unsigned char file587[] = {
#embed "../../Scenarios/pairs/background/101-to-111.json"
};
static const unsigned char file588[] = {
#embed "../../Scenarios/pairs/background/110-to-000.json"
};
static const unsigned char file589[] = {
#embed "../../Scenarios/pairs/background/110-to-001.json"
};
static const unsigned char file590[] = {
#embed "../../Scenarios/pairs/background/110-to-010.json"
};
static const unsigned char file591[] = {
#embed "../../Scenarios/pairs/background/110-to-011.json"
};
static const unsigned char file592[] = {
#embed "../../Scenarios/pairs/background/110-to-100.json"
};
static const unsigned char file593[] = {
#embed "../../Scenarios/pairs/background/110-to-101.json"
};
static const unsigned char file594[] = {
#embed "../../Scenarios/pairs/background/110-to-110.json"
};
static const unsigned char file595[] = {
#embed "../../Scenarios/pairs/background/110-to-111.json"
};
static const unsigned char file596[] = {
#embed "../../Scenarios/pairs/background/111-to-000.json"
};
static const unsigned char file597[] = {
#embed "../../Scenarios/pairs/background/111-to-001.json"
};
static const unsigned char file598[] = {
#embed "../../Scenarios/pairs/background/111-to-010.json"
};
static const unsigned char file599[] = {
#embed "../../Scenarios/pairs/background/111-to-011.json"
};
static const unsigned char file600[] = {
#embed "../../Scenarios/pairs/background/111-to-100.json"
};
static const unsigned char file601[] = {
#embed "../../Scenarios/pairs/background/111-to-101.json"
};
static const unsigned char file602[] = {
#embed "../../Scenarios/pairs/background/111-to-110.json"
};
static const unsigned char file603[] = {
#embed "../../Scenarios/pairs/background/111-to-111.json"
};
static const unsigned char file604[] = {
#embed "../../Scenarios/pairs/foreground/000-to-000.json"
};
static const unsigned char file605[] = {
#embed "../../Scenarios/pairs/foreground/000-to-001.json"
};
static const unsigned char file606[] = {
#embed "../../Scenarios/pairs/foreground/000-to-010.json"
};
static const unsigned char file607[] = {
#embed "../../Scenarios/pairs/foreground/000-to-011.json"
};
static const unsigned char file608[] = {
#embed "../../Scenarios/pairs/foreground/000-to-100.json"
};
static const unsigned char file609[] = {
#embed "../../Scenarios/pairs/foreground/000-to-101.json"
};
static const unsigned char file610[] = {
#embed "../../Scenarios/pairs/foreground/000-to-110.json"
};
static const unsigned char file611[] = {
#embed "../../Scenarios/pairs/foreground/000-to-111.json"
};
static const unsigned char file612[] = {
#embed "../../Scenarios/pairs/foreground/001-to-000.json"
};
static const unsigned char file613[] = {
#embed "../../Scenarios/pairs/foreground/001-to-001.json"
};
static const unsigned char file614[] = {
#embed "../../Scenarios/pairs/foreground/001-to-010.json"
};
static const unsigned char file615[] = {
#embed "../../Scenarios/pairs/foreground/001-to-011.json"
};
static const unsigned char file616[] = {
#embed "../../Scenarios/pairs/foreground/001-to-100.json"
};
static const unsigned char file617[] = {
#embed "../../Scenarios/pairs/foreground/001-to-101.json"
};
static const unsigned char file618[] = {
#embed "../../Scenarios/pairs/foreground/001-to-110.json"
};
static const unsigned char file619[] = {
#embed "../../Scenarios/pairs/foreground/001-to-111.json"
};
static const unsigned char file620[] = {
#embed "../../Scenarios/pairs/foreground/010-to-000.json"
};
static const unsigned char file621[] = {
#embed "../../Scenarios/pairs/foreground/010-to-001.json"
};
static const unsigned char file622[] = {
#embed "../../Scenarios/pairs/foreground/010-to-010.json"
};
static const unsigned char file623[] = {
#embed "../../Scenarios/pairs/foreground/010-to-011.json"
};
static const unsigned char file624[] = {
#embed "../../Scenarios/pairs/foreground/010-to-100.json"
};
static const unsigned char file625[] = {
#embed "../../Scenarios/pairs/foreground/010-to-101.json"
};
static const unsigned char file626[] = {
#embed "../../Scenarios/pairs/foreground/010-to-110.json"
};
static const unsigned char file627[] = {
#embed "../../Scenarios/pairs/foreground/010-to-111.json"
};
static const unsigned char file628[] = {
#embed "../../Scenarios/pairs/foreground/011-to-000.json"
};
static const unsigned char file629[] = {
#embed "../../Scenarios/pairs/foreground/011-to-001.json"
};
static const unsigned char file630[] = {
#embed "../../Scenarios/pairs/foreground/011-to-010.json"
};
static const unsigned char file631[] = {
#embed "../../Scenarios/pairs/foreground/011-to-011.json"
};
static const unsigned char file632[] = {
#embed "../../Scenarios/pairs/foreground/011-to-100.json"
};
static const unsigned char file633[] = {
#embed "../../Scenarios/pairs/foreground/011-to-101.json"
};
static const unsigned char file634[] = {
#embed "../../Scenarios/pairs/foreground/011-to-110.json"
};
static const unsigned char file635[] = {
#embed "../../Scenarios/pairs/foreground/011-to-111.json"
};
static const unsigned char file636[] = {
#embed "../../Scenarios/pairs/foreground/100-to-000.json"
};
static const unsigned char file637[] = {
#embed "../../Scenarios/pairs/foreground/100-to-001.json"
};
static const unsigned char file638[] = {
#embed "../../Scenarios/pairs/foreground/100-to-010.json"
};
static const unsigned char file639[] = {
#embed "../../Scenarios/pairs/foreground/100-to-011.json"
};
static const unsigned char file640[] = {
#embed "../../Scenarios/pairs/foreground/100-to-100.json"
};
static const unsigned char file641[] = {
#embed "../../Scenarios/pairs/foreground/100-to-101.json"
};
static const unsigned char file642[] = {
#embed "../../Scenarios/pairs/foreground/100-to-110.json"
};
static const unsigned char file643[] = {
#embed "../../Scenarios/pairs/foreground/100-to-111.json"
};
static const unsigned char file644[] = {
#embed "../../Scenarios/pairs/foreground/101-to-000.json"
};
static const unsigned char file645[] = {
#embed "../../Scenarios/pairs/foreground/101-to-001.json"
};
static const unsigned char file646[] = {
#embed "../../Scenarios/pairs/foreground/101-to-010.json"
};
static const unsigned char file647[] = {
#embed "../../Scenarios/pairs/foreground/101-to-011.json"
};
static const unsigned char file648[] = {
#embed "../../Scenarios/pairs/foreground/101-to-100.json"
};
static const unsigned char file649[] = {
#embed "../../Scenarios/pairs/foreground/101-to-101.json"
};
static const unsigned char file650[] = {
#embed "../../Scenarios/pairs/foreground/101-to-110.json"
};
static const unsigned char file651[] = {
#embed "../../Scenarios/pairs/foreground/101-to-111.json"
};
static const unsigned char file652[] = {
#embed "../../Scenarios/pairs/foreground/110-to-000.json"
};
static const unsigned char file653[] = {
#embed "../../Scenarios/pairs/foreground/110-to-001.json"
};
static const unsigned char file654[] = {
#embed "../../Scenarios/pairs/foreground/110-to-010.json"
};
static const unsigned char file655[] = {
#embed "../../Scenarios/pairs/foreground/110-to-011.json"
};
static const unsigned char file656[] = {
#embed "../../Scenarios/pairs/foreground/110-to-100.json"
};
static const unsigned char file657[] = {
#embed "../../Scenarios/pairs/foreground/110-to-101.json"
};
static const unsigned char file658[] = {
#embed "../../Scenarios/pairs/foreground/110-to-110.json"
};
static const unsigned char file659[] = {
#embed "../../Scenarios/pairs/foreground/110-to-111.json"
};
static const unsigned char file660[] = {
#embed "../../Scenarios/pairs/foreground/111-to-000.json"
};
static const unsigned char file661[] = {
#embed "../../Scenarios/pairs/foreground/111-to-001.json"
};
static const unsigned char file662[] = {
#embed "../../Scenarios/pairs/foreground/111-to-010.json"
};
static const unsigned char file663[] = {
#embed "../../Scenarios/pairs/foreground/111-to-011.json"
};
static const unsigned char file664[] = {
#embed "../../Scenarios/pairs/foreground/111-to-100.json"
};
static const unsigned char file665[] = {
#embed "../../Scenarios/pairs/foreground/111-to-101.json"
};
static const unsigned char file666[] = {
#embed "../../Scenarios/pairs/foreground/111-to-110.json"
};
static const unsigned char file667[] = {
#embed "../../Scenarios/pairs/foreground/111-to-111.json"
};
static const unsigned char file668[] = {
#embed "../../Scenarios/pool/call-after-disconnect.json"
};
static const unsigned char file669[] = {
#embed "../../Scenarios/pool/call-after-its-channel-is-gone.json"
};
static const unsigned char file670[] = {
#embed "../../Scenarios/pool/call-right-after-disconnect-all.json"
};
static const unsigned char file671[] = {
#embed "../../Scenarios/pool/call-within-30s-starts-the-delay-anew.json"
};
static const unsigned char file672[] = {
#embed "../../Scenarios/pool/cancel-of-a-call-from-before-a-disconnect.json"
};
static const unsigned char file673[] = {
#embed "../../Scenarios/pool/cancel-of-an-ended-call.json"
};
static const unsigned char file674[] = {
#embed "../../Scenarios/pool/connects-lazily.json"
};
static const unsigned char file675[] = {
#embed "../../Scenarios/pool/disconnect-all.json"
};
static const unsigned char file676[] = {
#embed "../../Scenarios/pool/disconnect-one-host.json"
};
static const unsigned char file677[] = {
#embed "../../Scenarios/pool/disconnect-with-waiting-calls.json"
};
static const unsigned char file678[] = {
#embed "../../Scenarios/pool/disconnect-without-channel.json"
};
static const unsigned char file679[] = {
#embed "../../Scenarios/pool/half-a-second.json"
};
static const unsigned char file680[] = {
#embed "../../Scenarios/pool/long-call-keeps-its-channel.json"
};
static const unsigned char file681[] = {
#embed "../../Scenarios/pool/no-port-is-443.json"
};
static const unsigned char file682[] = {
#embed "../../Scenarios/pool/one-host-three-spellings.json"
};
static const unsigned char file683[] = {
#embed "../../Scenarios/pool/options-in-the-key.json"
};
static const unsigned char file684[] = {
#embed "../../Scenarios/pool/options-outside-the-key.json"
};
static const unsigned char file685[] = {
#embed "../../Scenarios/pool/resolver-prefix-is-kept.json"
};
static const unsigned char file686[] = {
#embed "../../Scenarios/pool/state-gone-before-anybody-looks.json"
};
static const unsigned char file687[] = {
#embed "../../Scenarios/pool/states.json"
};
static const unsigned char file688[] = {
#embed "../../Scenarios/pool/unused-channel-ends-after-30s.json"
};
static const unsigned char file689[] = {
#embed "../../Scenarios/quality/flaps-round-trip-does-not-fit.json"
};
static const unsigned char file690[] = {
#embed "../../Scenarios/quality/flaps-round-trip-fits.json"
};
static const unsigned char file691[] = {
#embed "../../Scenarios/quality/lossy-link.json"
};
static const unsigned char file692[] = {
#embed "../../Scenarios/quality/mtu-black-hole-with-keepalive.json"
};
static const unsigned char file693[] = {
#embed "../../Scenarios/quality/mtu-black-hole.json"
};
static const unsigned char file694[] = {
#embed "../../Scenarios/quality/mtu-told.json"
};
static const unsigned char file695[] = {
#embed "../../Scenarios/quality/narrow-link.json"
};
static const unsigned char file696[] = {
#embed "../../Scenarios/quality/slow-link-hasty-keepalive.json"
};
static const unsigned char file697[] = {
#embed "../../Scenarios/quality/slow-link-patient-keepalive.json"
};
static const unsigned char file698[] = {
#embed "../../Scenarios/quality/slow-link.json"
};
static const unsigned char file699[] = {
#embed "../../Scenarios/quic/an-identifier-is-left.json"
};
static const unsigned char file700[] = {
#embed "../../Scenarios/quic/another-address.json"
};
static const unsigned char file701[] = {
#embed "../../Scenarios/quic/another-port.json"
};
static const unsigned char file702[] = {
#embed "../../Scenarios/quic/dead-uplink.json"
};
static const unsigned char file703[] = {
#embed "../../Scenarios/quic/identifiers-used-up.json"
};
static const unsigned char file704[] = {
#embed "../../Scenarios/quic/limit-reached.json"
};
static const unsigned char file705[] = {
#embed "../../Scenarios/quic/network-lingers.json"
};
static const unsigned char file706[] = {
#embed "../../Scenarios/quic/nobody-answers.json"
};
static const unsigned char file707[] = {
#embed "../../Scenarios/quic/over-a-slow-network.json"
};
static const unsigned char file708[] = {
#embed "../../Scenarios/quic/refused-by-the-server.json"
};
static const unsigned char file709[] = {
#embed "../../Scenarios/quic/suspended.json"
};
static const unsigned char file710[] = {
#embed "../../Scenarios/quic/there-and-back.json"
};
static const unsigned char file711[] = {
#embed "../../Scenarios/quic/uplink-returns.json"
};
static const unsigned char file712[] = {
#embed "../../Scenarios/quic/who-only-listens.json"
};
static const unsigned char file713[] = {
#embed "../../Scenarios/quic/wifi-to-cellular.json"
};
static const unsigned char file714[] = {
#embed "../../Scenarios/server/closes.json"
};
static const unsigned char file715[] = {
#embed "../../Scenarios/server/falls-silent.json"
};
static const unsigned char file716[] = {
#embed "../../Scenarios/server/goes-away.json"
};
static const unsigned char file717[] = {
#embed "../../Scenarios/server/ignores-calls-after-goaway.json"
};
static const unsigned char file718[] = {
#embed "../../Scenarios/server/read-twice.json"
};
static const unsigned char file719[] = {
#embed "../../Scenarios/server/reads-again.json"
};
static const unsigned char file720[] = {
#embed "../../Scenarios/server/refuses-the-new-keeps-the-old.json"
};
static const unsigned char file721[] = {
#embed "../../Scenarios/server/requests-over-each-network.json"
};
static const unsigned char file722[] = {
#embed "../../Scenarios/server/resets.json"
};
static const unsigned char file723[] = {
#embed "../../Scenarios/server/silent-is-no-stall.json"
};
static const unsigned char file724[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-connecting.json"
};
static const unsigned char file725[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-idle.json"
};
static const unsigned char file726[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-no-channel.json"
};
static const unsigned char file727[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-ready.json"
};
static const unsigned char file728[] = {
#embed "../../Scenarios/space/cellular-to-none-awaiting-token-transient-failure.json"
};
static const unsigned char file729[] = {
#embed "../../Scenarios/space/cellular-to-none-no-call-connecting.json"
};
static const unsigned char file730[] = {
#embed "../../Scenarios/space/cellular-to-none-no-call-idle.json"
};
static const unsigned char file731[] = {
#embed "../../Scenarios/space/cellular-to-none-no-call-transient-failure.json"
};
static const unsigned char file732[] = {
#embed "../../Scenarios/space/cellular-to-none-running-connecting.json"
};
static const unsigned char file733[] = {
#embed "../../Scenarios/space/cellular-to-none-running-idle.json"
};
static const unsigned char file734[] = {
#embed "../../Scenarios/space/cellular-to-none-running-transient-failure.json"
};
static const unsigned char file735[] = {
#embed "../../Scenarios/space/cellular-to-none-waiting-connecting.json"
};
static const unsigned char file736[] = {
#embed "../../Scenarios/space/cellular-to-none-waiting-idle.json"
};
static const unsigned char file737[] = {
#embed "../../Scenarios/space/cellular-to-none-waiting-transient-failure.json"
};
static const unsigned char file738[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-connecting.json"
};
static const unsigned char file739[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-idle.json"
};
static const unsigned char file740[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-no-channel.json"
};
static const unsigned char file741[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-ready.json"
};
static const unsigned char file742[] = {
#embed "../../Scenarios/space/cellular-to-wifi-awaiting-token-transient-failure.json"
};
static const unsigned char file743[] = {
#embed "../../Scenarios/space/cellular-to-wifi-no-call-connecting.json"
};
static const unsigned char file744[] = {
#embed "../../Scenarios/space/cellular-to-wifi-no-call-idle.json"
};
static const unsigned char file745[] = {
#embed "../../Scenarios/space/cellular-to-wifi-running-connecting.json"
};
static const unsigned char file746[] = {
#embed "../../Scenarios/space/cellular-to-wifi-running-idle.json"
};
static const unsigned char file747[] = {
#embed "../../Scenarios/space/cellular-to-wifi-running-transient-failure.json"
};
static const unsigned char file748[] = {
#embed "../../Scenarios/space/cellular-to-wifi-waiting-idle.json"
};
static const unsigned char file749[] = {
#embed "../../Scenarios/space/cellular-to-wifi-waiting-transient-failure.json"
};
static const unsigned char file750[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-connecting.json"
};
static const unsigned char file751[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-idle.json"
};
static const unsigned char file752[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-no-channel.json"
};
static const unsigned char file753[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-ready.json"
};
static const unsigned char file754[] = {
#embed "../../Scenarios/space/none-to-cellular-awaiting-token-transient-failure.json"
};
static const unsigned char file755[] = {
#embed "../../Scenarios/space/none-to-cellular-no-call-connecting.json"
};
static const unsigned char file756[] = {
#embed "../../Scenarios/space/none-to-cellular-no-call-idle.json"
};
static const unsigned char file757[] = {
#embed "../../Scenarios/space/none-to-cellular-no-call-ready.json"
};
static const unsigned char file758[] = {
#embed "../../Scenarios/space/none-to-cellular-running-connecting.json"
};
static const unsigned char file759[] = {
#embed "../../Scenarios/space/none-to-cellular-running-idle.json"
};
static const unsigned char file760[] = {
#embed "../../Scenarios/space/none-to-cellular-running-ready.json"
};
static const unsigned char file761[] = {
#embed "../../Scenarios/space/none-to-cellular-running-transient-failure.json"
};
static const unsigned char file762[] = {
#embed "../../Scenarios/space/none-to-cellular-waiting-connecting.json"
};
static const unsigned char file763[] = {
#embed "../../Scenarios/space/none-to-cellular-waiting-idle.json"
};
static const unsigned char file764[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-connecting.json"
};
static const unsigned char file765[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-idle.json"
};
static const unsigned char file766[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-no-channel.json"
};
static const unsigned char file767[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-ready.json"
};
static const unsigned char file768[] = {
#embed "../../Scenarios/space/none-to-wifi-awaiting-token-transient-failure.json"
};
static const unsigned char file769[] = {
#embed "../../Scenarios/space/none-to-wifi-no-call-connecting.json"
};
static const unsigned char file770[] = {
#embed "../../Scenarios/space/none-to-wifi-no-call-idle.json"
};
static const unsigned char file771[] = {
#embed "../../Scenarios/space/none-to-wifi-no-call-ready.json"
};
static const unsigned char file772[] = {
#embed "../../Scenarios/space/none-to-wifi-running-connecting.json"
};
static const unsigned char file773[] = {
#embed "../../Scenarios/space/none-to-wifi-running-idle.json"
};
static const unsigned char file774[] = {
#embed "../../Scenarios/space/none-to-wifi-running-ready.json"
};
static const unsigned char file775[] = {
#embed "../../Scenarios/space/none-to-wifi-running-transient-failure.json"
};
static const unsigned char file776[] = {
#embed "../../Scenarios/space/none-to-wifi-waiting-connecting.json"
};
static const unsigned char file777[] = {
#embed "../../Scenarios/space/none-to-wifi-waiting-idle.json"
};
static const unsigned char file778[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-connecting.json"
};
static const unsigned char file779[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-idle.json"
};
static const unsigned char file780[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-no-channel.json"
};
static const unsigned char file781[] = {
#embed "../../Scenarios/space/wifi-to-cellular-awaiting-token-transient-failure.json"
};
static const unsigned char file782[] = {
#embed "../../Scenarios/space/wifi-to-cellular-no-call-connecting.json"
};
static const unsigned char file783[] = {
#embed "../../Scenarios/space/wifi-to-cellular-no-call-idle.json"
};
static const unsigned char file784[] = {
#embed "../../Scenarios/space/wifi-to-cellular-running-connecting.json"
};
static const unsigned char file785[] = {
#embed "../../Scenarios/space/wifi-to-cellular-running-idle.json"
};
static const unsigned char file786[] = {
#embed "../../Scenarios/space/wifi-to-cellular-running-transient-failure.json"
};
static const unsigned char file787[] = {
#embed "../../Scenarios/space/wifi-to-cellular-waiting-idle.json"
};
static const unsigned char file788[] = {
#embed "../../Scenarios/space/wifi-to-cellular-waiting-transient-failure.json"
};
static const unsigned char file789[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-connecting.json"
};
static const unsigned char file790[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-idle.json"
};
static const unsigned char file791[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-no-channel.json"
};
static const unsigned char file792[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-ready.json"
};
static const unsigned char file793[] = {
#embed "../../Scenarios/space/wifi-to-none-awaiting-token-transient-failure.json"
};
static const unsigned char file794[] = {
#embed "../../Scenarios/space/wifi-to-none-no-call-connecting.json"
};
static const unsigned char file795[] = {
#embed "../../Scenarios/space/wifi-to-none-no-call-idle.json"
};
static const unsigned char file796[] = {
#embed "../../Scenarios/space/wifi-to-none-running-connecting.json"
};
static const unsigned char file797[] = {
#embed "../../Scenarios/space/wifi-to-none-running-idle.json"
};
static const unsigned char file798[] = {
#embed "../../Scenarios/space/wifi-to-none-running-transient-failure.json"
};
static const unsigned char file799[] = {
#embed "../../Scenarios/space/wifi-to-none-waiting-idle.json"
};
static const unsigned char file800[] = {
#embed "../../Scenarios/space/wifi-to-none-waiting-transient-failure.json"
};
static const unsigned char file801[] = {
#embed "../../Scenarios/stalls/acknowledged-and-thrown-away.json"
};
static const unsigned char file802[] = {
#embed "../../Scenarios/stalls/deadline-starts-the-clock.json"
};
static const unsigned char file803[] = {
#embed "../../Scenarios/stalls/five-seconds.json"
};
static const unsigned char file804[] = {
#embed "../../Scenarios/stalls/half-closed.json"
};
static const unsigned char file805[] = {
#embed "../../Scenarios/stalls/killed.json"
};
static const unsigned char file806[] = {
#embed "../../Scenarios/stalls/nothing-written-nothing-noticed.json"
};
static const unsigned char file807[] = {
#embed "../../Scenarios/stalls/quarter-of-an-hour.json"
};
static const unsigned char file808[] = {
#embed "../../Scenarios/stalls/stall-and-resume.json"
};
static const unsigned char file809[] = {
#embed "../../Scenarios/stalls/tcp-times-out.json"
};
static const unsigned char file810[] = {
#embed "../../Scenarios/transitions/airplane-mode-over-cellular.json"
};
static const unsigned char file811[] = {
#embed "../../Scenarios/transitions/away-and-back.json"
};
static const unsigned char file812[] = {
#embed "../../Scenarios/transitions/call-started-at-the-same-instant.json"
};
static const unsigned char file813[] = {
#embed "../../Scenarios/transitions/cancel-at-the-same-instant.json"
};
static const unsigned char file814[] = {
#embed "../../Scenarios/transitions/cellular-to-wifi-unfinished-stream.json"
};
static const unsigned char file815[] = {
#embed "../../Scenarios/transitions/cellular-to-wifi-unused-connection.json"
};
static const unsigned char file816[] = {
#embed "../../Scenarios/transitions/cellular-to-wifi-while-connecting.json"
};
static const unsigned char file817[] = {
#embed "../../Scenarios/transitions/deadline-at-the-same-instant.json"
};
static const unsigned char file818[] = {
#embed "../../Scenarios/transitions/drains-and-connects.json"
};
static const unsigned char file819[] = {
#embed "../../Scenarios/transitions/every-change-between-three.json"
};
static const unsigned char file820[] = {
#embed "../../Scenarios/transitions/every-host-is-hit.json"
};
static const unsigned char file821[] = {
#embed "../../Scenarios/transitions/first-call-at-the-same-instant.json"
};
static const unsigned char file822[] = {
#embed "../../Scenarios/transitions/hotspot-change-with-callback.json"
};
static const unsigned char file823[] = {
#embed "../../Scenarios/transitions/hotspot-change.json"
};
static const unsigned char file824[] = {
#embed "../../Scenarios/transitions/in-the-longest-backoff.json"
};
static const unsigned char file825[] = {
#embed "../../Scenarios/transitions/link-left-goes-down-later.json"
};
static const unsigned char file826[] = {
#embed "../../Scenarios/transitions/link-left-stays-up.json"
};
static const unsigned char file827[] = {
#embed "../../Scenarios/transitions/radio-change.json"
};
static const unsigned char file828[] = {
#embed "../../Scenarios/transitions/wifi-none-wifi.json"
};
static const unsigned char file829[] = {
#embed "../../Scenarios/transitions/wifi-to-cellular-while-connecting.json"
};
static const unsigned char file830[] = {
#embed "../../Scenarios/transitions/wifi-to-cellular.json"
};
static const unsigned char file831[] = {
#embed "../../Scenarios/transitions/wifi-to-none.json"
};

static const struct handover_file files[] = {
    {"Fixtures/Backends/handover_backend.py", file0, sizeof(file0)},
    {"Fixtures/Backends/reference.py", file1, sizeof(file1)},
    {"Fixtures/Backends/reference_rules.py", file2, sizeof(file2)},
    {"Fixtures/Backends/wrong.py", file3, sizeof(file3)},
    {"Fixtures/Documents/items.json", file4, sizeof(file4)},
    {"Fixtures/Documents/reasons.json", file5, sizeof(file5)},
    {"Fixtures/Schemas/scenario-1.schema.json", file6, sizeof(file6)},
    {"Scenarios/addresses/answers-by-network.json", file7, sizeof(file7)},
    {"Scenarios/addresses/broken-ipv6-happy-eyeballs.json", file8, sizeof(file8)},
    {"Scenarios/addresses/broken-ipv6-in-order.json", file9, sizeof(file9)},
    {"Scenarios/addresses/family-lost.json", file10, sizeof(file10)},
    {"Scenarios/addresses/name-server-fails.json", file11, sizeof(file11)},
    {"Scenarios/addresses/name-server-hangs.json", file12, sizeof(file12)},
    {"Scenarios/addresses/nat64.json", file13, sizeof(file13)},
    {"Scenarios/background/answer-before-overdue-deadline.json", file14, sizeof(file14)},
    {"Scenarios/background/back-on-the-old-hotspot.json", file15, sizeof(file15)},
    {"Scenarios/background/callback-before-answer.json", file16, sizeof(file16)},
    {"Scenarios/background/calls-while-it-runs.json", file17, sizeof(file17)},
    {"Scenarios/background/held-callback.json", file18, sizeof(file18)},
    {"Scenarios/background/hotspot-change-while-it-runs.json", file19, sizeof(file19)},
    {"Scenarios/background/hotspot-change.json", file20, sizeof(file20)},
    {"Scenarios/background/link-left-goes-down-later.json", file21, sizeof(file21)},
    {"Scenarios/background/overdue-deadline.json", file22, sizeof(file22)},
    {"Scenarios/background/round-trip-is-not-seen.json", file23, sizeof(file23)},
    {"Scenarios/background/server-closes.json", file24, sizeof(file24)},
    {"Scenarios/background/transition-while-it-runs.json", file25, sizeof(file25)},
    {"Scenarios/background/woken-to-fetch.json", file26, sizeof(file26)},
    {"Scenarios/backoff/attempt-as-long-as-the-delay.json", file27, sizeof(file27)},
    {"Scenarios/backoff/attempt-without-answer.json", file28, sizeof(file28)},
    {"Scenarios/backoff/broken-connection-keeps-the-instant.json", file29, sizeof(file29)},
    {"Scenarios/backoff/delays-grow.json", file30, sizeof(file30)},
    {"Scenarios/backoff/delays-stop-growing.json", file31, sizeof(file31)},
    {"Scenarios/backoff/doubling.json", file32, sizeof(file32)},
    {"Scenarios/backoff/fail-fast.json", file33, sizeof(file33)},
    {"Scenarios/backoff/jitter.json", file34, sizeof(file34)},
    {"Scenarios/backoff/longest-delay-of-a-call.json", file35, sizeof(file35)},
    {"Scenarios/backoff/no-call-no-attempt.json", file36, sizeof(file36)},
    {"Scenarios/backoff/options-of-a-call.json", file37, sizeof(file37)},
    {"Scenarios/backoff/reset-after-a-long-delay.json", file38, sizeof(file38)},
    {"Scenarios/backoff/reset-by-success.json", file39, sizeof(file39)},
    {"Scenarios/backoff/settings-come-late.json", file40, sizeof(file40)},
    {"Scenarios/backoff/silent-server-is-no-success.json", file41, sizeof(file41)},
    {"Scenarios/backoff/two-minutes-at-most.json", file42, sizeof(file42)},
    {"Scenarios/backoff/waits-and-fails.json", file43, sizeof(file43)},
    {"Scenarios/backoff/waits-and-runs.json", file44, sizeof(file44)},
    {"Scenarios/backoff/waits-until-cancelled.json", file45, sizeof(file45)},
    {"Scenarios/backoff/waits-until-its-deadline.json", file46, sizeof(file46)},
    {"Scenarios/bugs/f01-callbacks-without-a-change.json", file47, sizeof(file47)},
    {"Scenarios/bugs/f02-other-hotspot-in-the-background.json", file48, sizeof(file48)},
    {"Scenarios/bugs/f02-other-hotspot-same-category.json", file49, sizeof(file49)},
    {"Scenarios/bugs/f03-same-network-after-a-gap.json", file50, sizeof(file50)},
    {"Scenarios/bugs/f03-same-network-again.json", file51, sizeof(file51)},
    {"Scenarios/bugs/f04-vpn-comes-and-goes.json", file52, sizeof(file52)},
    {"Scenarios/bugs/f05-back-online-is-missed.json", file53, sizeof(file53)},
    {"Scenarios/bugs/f06-flapping-cuts-the-backoff-short.json", file54, sizeof(file54)},
    {"Scenarios/bugs/f07-wifi-to-cellular-in-the-background.json", file55, sizeof(file55)},
    {"Scenarios/bugs/f08-writes-go-nowhere.json", file56, sizeof(file56)},
    {"Scenarios/bugs/f09-half-open-for-a-quarter-of-an-hour.json", file57, sizeof(file57)},
    {"Scenarios/bugs/f10-waits-for-connectivity.json", file58, sizeof(file58)},
    {"Scenarios/bugs/f11-pooled-connection-is-dead.json", file59, sizeof(file59)},
    {"Scenarios/bugs/f12-listener-hears-nothing.json", file60, sizeof(file60)},
    {"Scenarios/bugs/f13-listener-and-flags-disagree.json", file61, sizeof(file61)},
    {"Scenarios/bugs/f14-airplane-mode-in-the-background.json", file62, sizeof(file62)},
    {"Scenarios/bugs/f14-airplane-mode.json", file63, sizeof(file63)},
    {"Scenarios/bugs/f15-fails-until-the-restart.json", file64, sizeof(file64)},
    {"Scenarios/bugs/f16-unresolved-name-ends-no-call.json", file65, sizeof(file65)},
    {"Scenarios/bugs/f17-fails-right-after-recovery.json", file66, sizeof(file66)},
    {"Scenarios/bugs/f18-monitor-overrun.json", file67, sizeof(file67)},
    {"Scenarios/bugs/f18-transition-is-lost.json", file68, sizeof(file68)},
    {"Scenarios/bugs/n01-network-was-down-once-with-keepalive.json", file69, sizeof(file69)},
    {"Scenarios/bugs/n01-network-was-down-once.json", file70, sizeof(file70)},
    {"Scenarios/bugs/n02-dead-connection-is-used-again.json", file71, sizeof(file71)},
    {"Scenarios/bugs/n03-interface-fails-and-another-serves.json", file72, sizeof(file72)},
    {"Scenarios/bugs/n03-interface-fails-with-keepalive.json", file73, sizeof(file73)},
    {"Scenarios/bugs/n04-cancelled-calls-keep-the-dead-connection.json", file74, sizeof(file74)},
    {"Scenarios/bugs/n04-cancelled-calls-with-keepalive.json", file75, sizeof(file75)},
    {"Scenarios/bugs/n05-keepalive-ends-the-calls-on-the-dead-peer.json", file76, sizeof(file76)},
    {"Scenarios/bugs/n06-wifi-comes-in-the-background.json", file77, sizeof(file77)},
    {"Scenarios/bugs/n08-loss-is-told-after-the-successor.json", file78, sizeof(file78)},
    {"Scenarios/bugs/n09-fails-at-the-instant-of-recovery.json", file79, sizeof(file79)},
    {"Scenarios/bugs/n10-unblocked-in-front-and-nobody-says-so.json", file80, sizeof(file80)},
    {"Scenarios/bugs/n10-unblocked-in-front-and-told.json", file81, sizeof(file81)},
    {"Scenarios/bugs/n11-old-network-lingers.json", file82, sizeof(file82)},
    {"Scenarios/bugs/n12-stream-stays-on-the-network-that-dies.json", file83, sizeof(file83)},
    {"Scenarios/bugs/n13-walk-between-hotspots.json", file84, sizeof(file84)},
    {"Scenarios/bugs/n14-router-loses-its-uplink-with-keepalive.json", file85, sizeof(file85)},
    {"Scenarios/bugs/n14-router-loses-its-uplink.json", file86, sizeof(file86)},
    {"Scenarios/bugs/n16-two-errors-for-each-connection.json", file87, sizeof(file87)},
    {"Scenarios/bugs/n19-there-and-back-while-nobody-answers.json", file88, sizeof(file88)},
    {"Scenarios/bugs/n20-socket-keeps-the-old-address.json", file89, sizeof(file89)},
    {"Scenarios/bugs/n21-swapped-socket-without-a-migration.json", file90, sizeof(file90)},
    {"Scenarios/bugs/n22-address-of-another-interface-is-not-heard.json", file91, sizeof(file91)},
    {"Scenarios/bugs/n22-address-of-another-interface.json", file92, sizeof(file92)},
    {"Scenarios/bugs/n23-pings-go-on-after-goaway.json", file93, sizeof(file93)},
    {"Scenarios/bugs/n24-sends-do-not-put-the-ping-off.json", file94, sizeof(file94)},
    {"Scenarios/bugs/n26-other-hotspot-with-keepalive.json", file95, sizeof(file95)},
    {"Scenarios/bugs/n26-other-hotspot-with-the-same-flags.json", file96, sizeof(file96)},
    {"Scenarios/bugs/n27-vpn-off-and-on-with-keepalive.json", file97, sizeof(file97)},
    {"Scenarios/bugs/n27-vpn-off-and-on.json", file98, sizeof(file98)},
    {"Scenarios/bugs/n28-unary-call-outlives-its-network.json", file99, sizeof(file99)},
    {"Scenarios/bugs/n29-channel-lives-on-after-keepalive.json", file100, sizeof(file100)},
    {"Scenarios/bugs/n31-calls-after-a-long-sleep-with-keepalive.json", file101, sizeof(file101)},
    {"Scenarios/bugs/n31-calls-after-a-long-sleep.json", file102, sizeof(file102)},
    {"Scenarios/bugs/n32-answers-are-lost-with-keepalive.json", file103, sizeof(file103)},
    {"Scenarios/bugs/n32-answers-are-lost.json", file104, sizeof(file104)},
    {"Scenarios/bugs/n33-hotspot-without-internet-with-keepalive.json", file105, sizeof(file105)},
    {"Scenarios/bugs/n33-hotspot-without-internet.json", file106, sizeof(file106)},
    {"Scenarios/bugs/n34-new-address-behind-the-router.json", file107, sizeof(file107)},
    {"Scenarios/bugs/n34-new-address-with-keepalive.json", file108, sizeof(file108)},
    {"Scenarios/bugs/n35-each-pooled-connection-hangs-once.json", file109, sizeof(file109)},
    {"Scenarios/bugs/n35-each-pooled-connection-with-keepalive.json", file110, sizeof(file110)},
    {"Scenarios/bugs/n37-call-outlives-a-gap.json", file111, sizeof(file111)},
    {"Scenarios/bugs/n38-callbacks-of-every-network.json", file112, sizeof(file112)},
    {"Scenarios/bugs/n38-callbacks-of-the-default-network.json", file113, sizeof(file113)},
    {"Scenarios/bugs/n39-first-call-after-a-sleep.json", file114, sizeof(file114)},
    {"Scenarios/bugs/n40-wakes-without-a-network.json", file115, sizeof(file115)},
    {"Scenarios/calls/connecting-call-is-never-sent.json", file116, sizeof(file116)},
    {"Scenarios/calls/deadlines-half-a-millisecond-apart.json", file117, sizeof(file117)},
    {"Scenarios/calls/each-end-has-its-status.json", file118, sizeof(file118)},
    {"Scenarios/calls/failed-call-is-never-sent.json", file119, sizeof(file119)},
    {"Scenarios/calls/failed-write.json", file120, sizeof(file120)},
    {"Scenarios/calls/finished-call-is-left-alone.json", file121, sizeof(file121)},
    {"Scenarios/calls/made-and-never-started.json", file122, sizeof(file122)},
    {"Scenarios/calls/made-and-not-started.json", file123, sizeof(file123)},
    {"Scenarios/calls/no-channel-can-be-made.json", file124, sizeof(file124)},
    {"Scenarios/calls/unavailable-not-cancelled.json", file125, sizeof(file125)},
    {"Scenarios/calls/waiting-call-and-recovery.json", file126, sizeof(file126)},
    {"Scenarios/calls/waits-for-its-token.json", file127, sizeof(file127)},
    {"Scenarios/cfstream/an-error-ends-every-call.json", file128, sizeof(file128)},
    {"Scenarios/cfstream/away-and-back-in-the-background.json", file129, sizeof(file129)},
    {"Scenarios/cfstream/better-interface-and-the-old-stays-up.json", file130, sizeof(file130)},
    {"Scenarios/cfstream/connect-just-in-time.json", file131, sizeof(file131)},
    {"Scenarios/cfstream/connect-times-out-once.json", file132, sizeof(file132)},
    {"Scenarios/cfstream/end-of-stream.json", file133, sizeof(file133)},
    {"Scenarios/cfstream/event-engine-attempt-fails.json", file134, sizeof(file134)},
    {"Scenarios/cfstream/event-engine-end-goes-unnoticed.json", file135, sizeof(file135)},
    {"Scenarios/cfstream/event-engine-half-closed-with-keepalive.json", file136, sizeof(file136)},
    {"Scenarios/cfstream/event-engine-half-closed.json", file137, sizeof(file137)},
    {"Scenarios/cfstream/event-engine-loss-in-the-background.json", file138, sizeof(file138)},
    {"Scenarios/cfstream/event-engine-loss-is-unknown.json", file139, sizeof(file139)},
    {"Scenarios/cfstream/event-engine-reset.json", file140, sizeof(file140)},
    {"Scenarios/cfstream/event-engine-tcp-times-out.json", file141, sizeof(file141)},
    {"Scenarios/cfstream/event-engine-write-after-the-end.json", file142, sizeof(file142)},
    {"Scenarios/cfstream/every-event-is-heard.json", file143, sizeof(file143)},
    {"Scenarios/cfstream/lost-and-restored.json", file144, sizeof(file144)},
    {"Scenarios/cfstream/no-monitor.json", file145, sizeof(file145)},
    {"Scenarios/cfstream/partial-write.json", file146, sizeof(file146)},
    {"Scenarios/cfstream/read-stream-stalls-with-keepalive.json", file147, sizeof(file147)},
    {"Scenarios/cfstream/read-stream-stalls.json", file148, sizeof(file148)},
    {"Scenarios/cfstream/wifi-appears.json", file149, sizeof(file149)},
    {"Scenarios/cfstream/with-a-monitor-another-hotspot.json", file150, sizeof(file150)},
    {"Scenarios/cfstream/with-a-monitor-both-hear.json", file151, sizeof(file151)},
    {"Scenarios/cfstream/with-a-monitor-that-is-deaf.json", file152, sizeof(file152)},
    {"Scenarios/clients/cellular-link-stays-up.json", file153, sizeof(file153)},
    {"Scenarios/clients/cellular-to-wifi-and-killed.json", file154, sizeof(file154)},
    {"Scenarios/clients/cellular-to-wifi-in-the-background.json", file155, sizeof(file155)},
    {"Scenarios/clients/cellular-to-wifi.json", file156, sizeof(file156)},
    {"Scenarios/clients/idle-connection.json", file157, sizeof(file157)},
    {"Scenarios/clients/listen-only.json", file158, sizeof(file158)},
    {"Scenarios/clients/long-poll.json", file159, sizeof(file159)},
    {"Scenarios/clients/nothing-changes.json", file160, sizeof(file160)},
    {"Scenarios/clients/nothing-flows.json", file161, sizeof(file161)},
    {"Scenarios/clients/other-hotspot-in-the-background.json", file162, sizeof(file162)},
    {"Scenarios/clients/other-hotspot.json", file163, sizeof(file163)},
    {"Scenarios/clients/wifi-none-wifi.json", file164, sizeof(file164)},
    {"Scenarios/clients/wifi-to-cellular.json", file165, sizeof(file165)},
    {"Scenarios/clients/wifi-to-none.json", file166, sizeof(file166)},
    {"Scenarios/connection-limits/admission/admitted-in-one-step.json", file167, sizeof(file167)},
    {"Scenarios/connection-limits/admission/half-is-for-long-ones.json", file168, sizeof(file168)},
    {"Scenarios/connection-limits/admission/ios-6.json", file169, sizeof(file169)},
    {"Scenarios/connection-limits/admission/ios-7.json", file170, sizeof(file170)},
    {"Scenarios/connection-limits/admission/kind-is-the-callers-word.json", file171, sizeof(file171)},
    {"Scenarios/connection-limits/admission/limit-is-lowered.json", file172, sizeof(file172)},
    {"Scenarios/connection-limits/admission/limit-is-raised.json", file173, sizeof(file173)},
    {"Scenarios/connection-limits/admission/limit-raised-while-one-waits.json", file174, sizeof(file174)},
    {"Scenarios/connection-limits/admission/long-may-be-all.json", file175, sizeof(file175)},
    {"Scenarios/connection-limits/admission/macos.json", file176, sizeof(file176)},
    {"Scenarios/connection-limits/admission/no-long-at-all.json", file177, sizeof(file177)},
    {"Scenarios/connection-limits/admission/one-in-four.json", file178, sizeof(file178)},
    {"Scenarios/connection-limits/admission/port-by-scheme.json", file179, sizeof(file179)},
    {"Scenarios/connection-limits/admission/port-is-added.json", file180, sizeof(file180)},
    {"Scenarios/connection-limits/admission/ports-are-endpoints.json", file181, sizeof(file181)},
    {"Scenarios/connection-limits/admission/quarter-of-another-total.json", file182, sizeof(file182)},
    {"Scenarios/connection-limits/admission/short-may-take-everything.json", file183, sizeof(file183)},
    {"Scenarios/connection-limits/admission/trailing-dot.json", file184, sizeof(file184)},
    {"Scenarios/connection-limits/admission/version-1.5.json", file185, sizeof(file185)},
    {"Scenarios/connection-limits/admission/waiting-long-ones-count.json", file186, sizeof(file186)},
    {"Scenarios/connection-limits/admission/waits-below-the-long-limit.json", file187, sizeof(file187)},
    {"Scenarios/connection-limits/article/control-requests-get-through.json", file188, sizeof(file188)},
    {"Scenarios/connection-limits/article/download-thaws-in-time.json", file189, sizeof(file189)},
    {"Scenarios/connection-limits/article/downloads-freeze.json", file190, sizeof(file190)},
    {"Scenarios/connection-limits/article/fails.json", file191, sizeof(file191)},
    {"Scenarios/connection-limits/article/fifth-stream-freezes.json", file192, sizeof(file192)},
    {"Scenarios/connection-limits/article/four-streams-live.json", file193, sizeof(file193)},
    {"Scenarios/connection-limits/article/frozen-stream-thaws.json", file194, sizeof(file194)},
    {"Scenarios/connection-limits/article/ignored.json", file195, sizeof(file195)},
    {"Scenarios/connection-limits/article/polled.json", file196, sizeof(file196)},
    {"Scenarios/connection-limits/article/queued.json", file197, sizeof(file197)},
    {"Scenarios/connection-limits/article/refused.json", file198, sizeof(file198)},
    {"Scenarios/connection-limits/article/seconds-are-not-noticed.json", file199, sizeof(file199)},
    {"Scenarios/connection-limits/article/sixth-stream-freezes-on-ios-6.json", file200, sizeof(file200)},
    {"Scenarios/connection-limits/article/told-in-advance.json", file201, sizeof(file201)},
    {"Scenarios/connection-limits/article/two-names-of-one-machine.json", file202, sizeof(file202)},
    {"Scenarios/connection-limits/article/which-error-was-it.json", file203, sizeof(file203)},
    {"Scenarios/connection-limits/cancel/after-the-close.json", file204, sizeof(file204)},
    {"Scenarios/connection-limits/cancel/close-between-polls.json", file205, sizeof(file205)},
    {"Scenarios/connection-limits/cancel/close-ends-everything.json", file206, sizeof(file206)},
    {"Scenarios/connection-limits/cancel/frozen-by-ignore.json", file207, sizeof(file207)},
    {"Scenarios/connection-limits/cancel/frozen.json", file208, sizeof(file208)},
    {"Scenarios/connection-limits/cancel/late-answer.json", file209, sizeof(file209)},
    {"Scenarios/connection-limits/cancel/lets-others-move-up.json", file210, sizeof(file210)},
    {"Scenarios/connection-limits/cancel/polled-at-rest.json", file211, sizeof(file211)},
    {"Scenarios/connection-limits/cancel/polled-while-it-waits.json", file212, sizeof(file212)},
    {"Scenarios/connection-limits/cancel/refused.json", file213, sizeof(file213)},
    {"Scenarios/connection-limits/cancel/running.json", file214, sizeof(file214)},
    {"Scenarios/connection-limits/cancel/synchronous.json", file215, sizeof(file215)},
    {"Scenarios/connection-limits/cancel/twice.json", file216, sizeof(file216)},
    {"Scenarios/connection-limits/cancel/waiting-long.json", file217, sizeof(file217)},
    {"Scenarios/connection-limits/cancel/waiting.json", file218, sizeof(file218)},
    {"Scenarios/connection-limits/defects/u04-letters-of-the-host.json", file219, sizeof(file219)},
    {"Scenarios/connection-limits/defects/u79-at-a-transition.json", file220, sizeof(file220)},
    {"Scenarios/connection-limits/defects/u79-slot-of-another-endpoint.json", file221, sizeof(file221)},
    {"Scenarios/connection-limits/defects/u80-slot-freed-as-it-waits.json", file222, sizeof(file222)},
    {"Scenarios/connection-limits/defects/u81-nothing-to-begin.json", file223, sizeof(file223)},
    {"Scenarios/connection-limits/defects/u82-cancel-before-the-change.json", file224, sizeof(file224)},
    {"Scenarios/connection-limits/defects/u82-cancel-in-the-queue.json", file225, sizeof(file225)},
    {"Scenarios/connection-limits/defects/u83-no-time-out.json", file226, sizeof(file226)},
    {"Scenarios/connection-limits/defects/u85-ends-as-it-starts.json", file227, sizeof(file227)},
    {"Scenarios/connection-limits/defects/u85-no-network.json", file228, sizeof(file228)},
    {"Scenarios/connection-limits/defects/u86-requests-are-no-connections.json", file229, sizeof(file229)},
    {"Scenarios/connection-limits/defects/u87-blocked-for-ever.json", file230, sizeof(file230)},
    {"Scenarios/connection-limits/faults/answer-is-discarded.json", file231, sizeof(file231)},
    {"Scenarios/connection-limits/faults/behind-two-spellings.json", file232, sizeof(file232)},
    {"Scenarios/connection-limits/faults/first-packets-are-lost.json", file233, sizeof(file233)},
    {"Scenarios/connection-limits/faults/name-is-resolved-later.json", file234, sizeof(file234)},
    {"Scenarios/connection-limits/faults/only-one-endpoint.json", file235, sizeof(file235)},
    {"Scenarios/connection-limits/faults/poll-is-reset.json", file236, sizeof(file236)},
    {"Scenarios/connection-limits/faults/reset-behind-a-stall.json", file237, sizeof(file237)},
    {"Scenarios/connection-limits/faults/server-closes.json", file238, sizeof(file238)},
    {"Scenarios/connection-limits/faults/server-comes-back.json", file239, sizeof(file239)},
    {"Scenarios/connection-limits/faults/server-falls-silent-on-short-ones.json", file240, sizeof(file240)},
    {"Scenarios/connection-limits/faults/server-falls-silent.json", file241, sizeof(file241)},
    {"Scenarios/connection-limits/faults/server-resets.json", file242, sizeof(file242)},
    {"Scenarios/connection-limits/faults/server-speaks-again.json", file243, sizeof(file243)},
    {"Scenarios/connection-limits/faults/stalls-and-resumes.json", file244, sizeof(file244)},
    {"Scenarios/connection-limits/faults/stalls-for-good.json", file245, sizeof(file245)},
    {"Scenarios/connection-limits/http2/budget-is-used-up.json", file246, sizeof(file246)},
    {"Scenarios/connection-limits/http2/cancel-ends-one-stream.json", file247, sizeof(file247)},
    {"Scenarios/connection-limits/http2/goaway.json", file248, sizeof(file248)},
    {"Scenarios/connection-limits/http2/long-limit-is-raised.json", file249, sizeof(file249)},
    {"Scenarios/connection-limits/http2/long-part-of-the-budget.json", file250, sizeof(file250)},
    {"Scenarios/connection-limits/http2/many-on-one-connection.json", file251, sizeof(file251)},
    {"Scenarios/connection-limits/http2/many-streams.json", file252, sizeof(file252)},
    {"Scenarios/connection-limits/http2/one-beside-http1.json", file253, sizeof(file253)},
    {"Scenarios/connection-limits/http2/one-connection-for-each-pool.json", file254, sizeof(file254)},
    {"Scenarios/connection-limits/http2/websocket-is-cancelled.json", file255, sizeof(file255)},
    {"Scenarios/connection-limits/http2/websocket-until-the-response.json", file256, sizeof(file256)},
    {"Scenarios/connection-limits/http2/websockets-are-exempt.json", file257, sizeof(file257)},
    {"Scenarios/connection-limits/order/first-come.json", file258, sizeof(file258)},
    {"Scenarios/connection-limits/order/frozen-one-leaves-the-spare-slots.json", file259, sizeof(file259)},
    {"Scenarios/connection-limits/order/frozen-one-starts-first.json", file260, sizeof(file260)},
    {"Scenarios/connection-limits/order/long-that-came-first.json", file261, sizeof(file261)},
    {"Scenarios/connection-limits/order/poll-waits-for-the-only-slot.json", file262, sizeof(file262)},
    {"Scenarios/connection-limits/order/polls-stand-in-line.json", file263, sizeof(file263)},
    {"Scenarios/connection-limits/order/short-passes-a-waiting-long.json", file264, sizeof(file264)},
    {"Scenarios/connection-limits/order/short-that-came-first.json", file265, sizeof(file265)},
    {"Scenarios/connection-limits/order/slots-freed-together.json", file266, sizeof(file266)},
    {"Scenarios/connection-limits/order/spare-slots-of-a-smaller-platform.json", file267, sizeof(file267)},
    {"Scenarios/connection-limits/order/synchronous-stands-in-line.json", file268, sizeof(file268)},
    {"Scenarios/connection-limits/order/twenty-downloads.json", file269, sizeof(file269)},
    {"Scenarios/connection-limits/platform/connections-are-used-again.json", file270, sizeof(file270)},
    {"Scenarios/connection-limits/platform/fifth-short-does-not-time-out.json", file271, sizeof(file271)},
    {"Scenarios/connection-limits/platform/fifth-short-waits.json", file272, sizeof(file272)},
    {"Scenarios/connection-limits/platform/less-than-the-total.json", file273, sizeof(file273)},
    {"Scenarios/connection-limits/platform/more-than-the-total.json", file274, sizeof(file274)},
    {"Scenarios/connection-limits/platform/name-hangs.json", file275, sizeof(file275)},
    {"Scenarios/connection-limits/platform/name-is-unknown.json", file276, sizeof(file276)},
    {"Scenarios/connection-limits/platform/no-network.json", file277, sizeof(file277)},
    {"Scenarios/connection-limits/platform/one-connection-each.json", file278, sizeof(file278)},
    {"Scenarios/connection-limits/platform/other-endpoints-are-free.json", file279, sizeof(file279)},
    {"Scenarios/connection-limits/platform/server-refuses.json", file280, sizeof(file280)},
    {"Scenarios/connection-limits/policies/enqueue-leaves-the-spare-ones.json", file281, sizeof(file281)},
    {"Scenarios/connection-limits/policies/enqueue.json", file282, sizeof(file282)},
    {"Scenarios/connection-limits/policies/fail.json", file283, sizeof(file283)},
    {"Scenarios/connection-limits/policies/ignore.json", file284, sizeof(file284)},
    {"Scenarios/connection-limits/policies/none-counts-below-the-limit.json", file285, sizeof(file285)},
    {"Scenarios/connection-limits/policies/own-policy-wins.json", file286, sizeof(file286)},
    {"Scenarios/connection-limits/policies/poll-every-two-seconds.json", file287, sizeof(file287)},
    {"Scenarios/connection-limits/policies/poll.json", file288, sizeof(file288)},
    {"Scenarios/connection-limits/policies/polled-stream-ends-of-itself.json", file289, sizeof(file289)},
    {"Scenarios/connection-limits/policies/take-spare.json", file290, sizeof(file290)},
    {"Scenarios/connection-limits/policies/throw.json", file291, sizeof(file291)},
    {"Scenarios/connection-limits/pools/after-the-close-a-new-one.json", file292, sizeof(file292)},
    {"Scenarios/connection-limits/pools/each-answers-for-itself.json", file293, sizeof(file293)},
    {"Scenarios/connection-limits/pools/idle-connections-are-closed-in-time.json", file294, sizeof(file294)},
    {"Scenarios/connection-limits/pools/idle-connections-freeze-the-next.json", file295, sizeof(file295)},
    {"Scenarios/connection-limits/pools/limit-of-one.json", file296, sizeof(file296)},
    {"Scenarios/connection-limits/pools/limits-are-of-a-dispatcher.json", file297, sizeof(file297)},
    {"Scenarios/connection-limits/pools/one-dispatcher.json", file298, sizeof(file298)},
    {"Scenarios/connection-limits/pools/one-is-closed.json", file299, sizeof(file299)},
    {"Scenarios/connection-limits/pools/one-shared-pool.json", file300, sizeof(file300)},
    {"Scenarios/connection-limits/pools/own-pool-has-an-idle-one.json", file301, sizeof(file301)},
    {"Scenarios/connection-limits/pools/two-dispatchers.json", file302, sizeof(file302)},
    {"Scenarios/connection-limits/prediction/after-the-close.json", file303, sizeof(file303)},
    {"Scenarios/connection-limits/prediction/asking-changes-nothing.json", file304, sizeof(file304)},
    {"Scenarios/connection-limits/prediction/counts-short-load.json", file305, sizeof(file305)},
    {"Scenarios/connection-limits/prediction/each-kind.json", file306, sizeof(file306)},
    {"Scenarios/connection-limits/prediction/each-policy.json", file307, sizeof(file307)},
    {"Scenarios/connection-limits/prediction/is-no-reservation.json", file308, sizeof(file308)},
    {"Scenarios/connection-limits/prediction/of-another-endpoint.json", file309, sizeof(file309)},
    {"Scenarios/connection-limits/prediction/of-another-spelling.json", file310, sizeof(file310)},
    {"Scenarios/connection-limits/prediction/right-after-an-end.json", file311, sizeof(file311)},
    {"Scenarios/connection-limits/prediction/waiting-long-ones-count.json", file312, sizeof(file312)},
    {"Scenarios/connection-limits/prediction/yes-then-no.json", file313, sizeof(file313)},
    {"Scenarios/connection-limits/threads/a-failure-ends-no-thread.json", file314, sizeof(file314)},
    {"Scenarios/connection-limits/threads/any-number-may-wait.json", file315, sizeof(file315)},
    {"Scenarios/connection-limits/threads/collected-when-idle.json", file316, sizeof(file316)},
    {"Scenarios/connection-limits/threads/each-endpoint-has-its-own.json", file317, sizeof(file317)},
    {"Scenarios/connection-limits/threads/gone-at-once.json", file318, sizeof(file318)},
    {"Scenarios/connection-limits/threads/made-when-needed.json", file319, sizeof(file319)},
    {"Scenarios/connection-limits/threads/never-more-than-the-limit.json", file320, sizeof(file320)},
    {"Scenarios/connection-limits/threads/nothing-after-the-close.json", file321, sizeof(file321)},
    {"Scenarios/connection-limits/threads/spare-threads.json", file322, sizeof(file322)},
    {"Scenarios/connection-limits/threads/steady-work-keeps-one.json", file323, sizeof(file323)},
    {"Scenarios/connection-limits/threads/taken-again-in-time.json", file324, sizeof(file324)},
    {"Scenarios/connection-limits/threads/the-close-ends-them.json", file325, sizeof(file325)},
    {"Scenarios/connection-limits/threads/the-latest-is-taken-first.json", file326, sizeof(file326)},
    {"Scenarios/connection-limits/threads/times-of-ones-own.json", file327, sizeof(file327)},
    {"Scenarios/connection-limits/time-outs/after-the-end.json", file328, sizeof(file328)},
    {"Scenarios/connection-limits/time-outs/data-begins-it-anew.json", file329, sizeof(file329)},
    {"Scenarios/connection-limits/time-outs/deadline-between-polls.json", file330, sizeof(file330)},
    {"Scenarios/connection-limits/time-outs/deadline-while-it-is-frozen.json", file331, sizeof(file331)},
    {"Scenarios/connection-limits/time-outs/deadline-while-it-runs.json", file332, sizeof(file332)},
    {"Scenarios/connection-limits/time-outs/deadline-while-it-waits.json", file333, sizeof(file333)},
    {"Scenarios/connection-limits/time-outs/long-until-the-response.json", file334, sizeof(file334)},
    {"Scenarios/connection-limits/time-outs/long-without-a-response.json", file335, sizeof(file335)},
    {"Scenarios/connection-limits/time-outs/none.json", file336, sizeof(file336)},
    {"Scenarios/connection-limits/time-outs/slot-is-freed-too-late.json", file337, sizeof(file337)},
    {"Scenarios/connection-limits/time-outs/slot-is-freed.json", file338, sizeof(file338)},
    {"Scenarios/connection-limits/time-outs/synchronous-from-its-arrival.json", file339, sizeof(file339)},
    {"Scenarios/connection-limits/time-outs/usual-one-is-a-minute.json", file340, sizeof(file340)},
    {"Scenarios/connection-limits/time-outs/waiting-is-charged.json", file341, sizeof(file341)},
    {"Scenarios/connection-limits/time-outs/waiting-is-not-charged.json", file342, sizeof(file342)},
    {"Scenarios/connection-limits/time-outs/whole-transfer.json", file343, sizeof(file343)},
    {"Scenarios/connection-limits/transitions/answer-in-the-background.json", file344, sizeof(file344)},
    {"Scenarios/connection-limits/transitions/at-the-same-instant.json", file345, sizeof(file345)},
    {"Scenarios/connection-limits/transitions/away-and-back-in-the-background.json", file346, sizeof(file346)},
    {"Scenarios/connection-limits/transitions/background-and-return.json", file347, sizeof(file347)},
    {"Scenarios/connection-limits/transitions/callback-without-a-change.json", file348, sizeof(file348)},
    {"Scenarios/connection-limits/transitions/cellular-to-none.json", file349, sizeof(file349)},
    {"Scenarios/connection-limits/transitions/cellular-to-wifi.json", file350, sizeof(file350)},
    {"Scenarios/connection-limits/transitions/deadline-of-a-poll-in-the-background.json", file351, sizeof(file351)},
    {"Scenarios/connection-limits/transitions/enqueue.json", file352, sizeof(file352)},
    {"Scenarios/connection-limits/transitions/every-endpoint-is-hit.json", file353, sizeof(file353)},
    {"Scenarios/connection-limits/transitions/fail.json", file354, sizeof(file354)},
    {"Scenarios/connection-limits/transitions/gone-in-the-background.json", file355, sizeof(file355)},
    {"Scenarios/connection-limits/transitions/hotspot-change-in-the-background.json", file356, sizeof(file356)},
    {"Scenarios/connection-limits/transitions/hotspot-change.json", file357, sizeof(file357)},
    {"Scenarios/connection-limits/transitions/http2.json", file358, sizeof(file358)},
    {"Scenarios/connection-limits/transitions/idle-connections-go.json", file359, sizeof(file359)},
    {"Scenarios/connection-limits/transitions/ignore-in-the-background.json", file360, sizeof(file360)},
    {"Scenarios/connection-limits/transitions/ignore-to-none.json", file361, sizeof(file361)},
    {"Scenarios/connection-limits/transitions/ignore.json", file362, sizeof(file362)},
    {"Scenarios/connection-limits/transitions/in-the-background.json", file363, sizeof(file363)},
    {"Scenarios/connection-limits/transitions/less-than-the-total.json", file364, sizeof(file364)},
    {"Scenarios/connection-limits/transitions/limit-holds-after-it.json", file365, sizeof(file365)},
    {"Scenarios/connection-limits/transitions/limit-lowered-before-it.json", file366, sizeof(file366)},
    {"Scenarios/connection-limits/transitions/none-to-cellular.json", file367, sizeof(file367)},
    {"Scenarios/connection-limits/transitions/none-to-wifi.json", file368, sizeof(file368)},
    {"Scenarios/connection-limits/transitions/poll-across-a-gap.json", file369, sizeof(file369)},
    {"Scenarios/connection-limits/transitions/poll-at-rest.json", file370, sizeof(file370)},
    {"Scenarios/connection-limits/transitions/poll-in-the-background.json", file371, sizeof(file371)},
    {"Scenarios/connection-limits/transitions/poll-into-none.json", file372, sizeof(file372)},
    {"Scenarios/connection-limits/transitions/poll-that-waits.json", file373, sizeof(file373)},
    {"Scenarios/connection-limits/transitions/poll-under-way.json", file374, sizeof(file374)},
    {"Scenarios/connection-limits/transitions/synchronous-is-woken.json", file375, sizeof(file375)},
    {"Scenarios/connection-limits/transitions/take-spare-to-none.json", file376, sizeof(file376)},
    {"Scenarios/connection-limits/transitions/take-spare.json", file377, sizeof(file377)},
    {"Scenarios/connection-limits/transitions/throw.json", file378, sizeof(file378)},
    {"Scenarios/connection-limits/transitions/time-out-in-the-background.json", file379, sizeof(file379)},
    {"Scenarios/connection-limits/transitions/twice-in-a-row.json", file380, sizeof(file380)},
    {"Scenarios/connection-limits/transitions/two-dispatchers.json", file381, sizeof(file381)},
    {"Scenarios/connection-limits/transitions/waiting-and-timed-out.json", file382, sizeof(file382)},
    {"Scenarios/connection-limits/transitions/waiting-is-charged-across-it.json", file383, sizeof(file383)},
    {"Scenarios/connection-limits/transitions/websockets-are-lost.json", file384, sizeof(file384)},
    {"Scenarios/connection-limits/transitions/while-connecting.json", file385, sizeof(file385)},
    {"Scenarios/connection-limits/transitions/wifi-none-wifi.json", file386, sizeof(file386)},
    {"Scenarios/connection-limits/transitions/wifi-to-cellular.json", file387, sizeof(file387)},
    {"Scenarios/connection-limits/transitions/wifi-to-none.json", file388, sizeof(file388)},
    {"Scenarios/interceptors/cache/cellular-to-none.json", file389, sizeof(file389)},
    {"Scenarios/interceptors/cache/cellular-to-wifi.json", file390, sizeof(file390)},
    {"Scenarios/interceptors/cache/none-to-cellular.json", file391, sizeof(file391)},
    {"Scenarios/interceptors/cache/none-to-wifi.json", file392, sizeof(file392)},
    {"Scenarios/interceptors/cache/wifi-to-cellular.json", file393, sizeof(file393)},
    {"Scenarios/interceptors/cache/wifi-to-none.json", file394, sizeof(file394)},
    {"Scenarios/interceptors/chain/bidi.json", file395, sizeof(file395)},
    {"Scenarios/interceptors/chain/cancel-and-transition.json", file396, sizeof(file396)},
    {"Scenarios/interceptors/chain/cancel-before-the-start.json", file397, sizeof(file397)},
    {"Scenarios/interceptors/chain/cancel-is-forwarded.json", file398, sizeof(file398)},
    {"Scenarios/interceptors/chain/cancel-while-it-waits.json", file399, sizeof(file399)},
    {"Scenarios/interceptors/chain/cancel-words-of-the-transport.json", file400, sizeof(file400)},
    {"Scenarios/interceptors/chain/cancel.json", file401, sizeof(file401)},
    {"Scenarios/interceptors/chain/close-is-swallowed.json", file402, sizeof(file402)},
    {"Scenarios/interceptors/chain/closes-twice.json", file403, sizeof(file403)},
    {"Scenarios/interceptors/chain/does-not-shut-down.json", file404, sizeof(file404)},
    {"Scenarios/interceptors/chain/eager-short-circuit.json", file405, sizeof(file405)},
    {"Scenarios/interceptors/chain/factory-makes-nothing.json", file406, sizeof(file406)},
    {"Scenarios/interceptors/chain/first-made-with-the-call.json", file407, sizeof(file407)},
    {"Scenarios/interceptors/chain/flow-control-and-failure.json", file408, sizeof(file408)},
    {"Scenarios/interceptors/chain/flow-control-early.json", file409, sizeof(file409)},
    {"Scenarios/interceptors/chain/flow-control-holds-the-close.json", file410, sizeof(file410)},
    {"Scenarios/interceptors/chain/flow-control-off.json", file411, sizeof(file411)},
    {"Scenarios/interceptors/chain/flow-control.json", file412, sizeof(file412)},
    {"Scenarios/interceptors/chain/global-comes-last.json", file413, sizeof(file413)},
    {"Scenarios/interceptors/chain/global-is-off.json", file414, sizeof(file414)},
    {"Scenarios/interceptors/chain/hijack.json", file415, sizeof(file415)},
    {"Scenarios/interceptors/chain/leaves-the-next-running.json", file416, sizeof(file416)},
    {"Scenarios/interceptors/chain/legacy-call.json", file417, sizeof(file417)},
    {"Scenarios/interceptors/chain/made-at-once.json", file418, sizeof(file418)},
    {"Scenarios/interceptors/chain/made-when-first-needed.json", file419, sizeof(file419)},
    {"Scenarios/interceptors/chain/made-when-needed.json", file420, sizeof(file420)},
    {"Scenarios/interceptors/chain/made-when-the-call-starts.json", file421, sizeof(file421)},
    {"Scenarios/interceptors/chain/made-with-the-call.json", file422, sizeof(file422)},
    {"Scenarios/interceptors/chain/marshaller-fails.json", file423, sizeof(file423)},
    {"Scenarios/interceptors/chain/marshaller.json", file424, sizeof(file424)},
    {"Scenarios/interceptors/chain/message-after-the-close.json", file425, sizeof(file425)},
    {"Scenarios/interceptors/chain/metadata-after-a-message.json", file426, sizeof(file426)},
    {"Scenarios/interceptors/chain/metadata-with-the-first-message.json", file427, sizeof(file427)},
    {"Scenarios/interceptors/chain/no-factory-makes-anything.json", file428, sizeof(file428)},
    {"Scenarios/interceptors/chain/order.json", file429, sizeof(file429)},
    {"Scenarios/interceptors/chain/queues-concurrent.json", file430, sizeof(file430)},
    {"Scenarios/interceptors/chain/queues-own.json", file431, sizeof(file431)},
    {"Scenarios/interceptors/chain/queues-separate.json", file432, sizeof(file432)},
    {"Scenarios/interceptors/chain/queues-shared.json", file433, sizeof(file433)},
    {"Scenarios/interceptors/chain/requests-after-the-end.json", file434, sizeof(file434)},
    {"Scenarios/interceptors/chain/requests-out-of-order.json", file435, sizeof(file435)},
    {"Scenarios/interceptors/chain/rewrite-channel-options.json", file436, sizeof(file436)},
    {"Scenarios/interceptors/chain/rewrite-deadline.json", file437, sizeof(file437)},
    {"Scenarios/interceptors/chain/rewrite-fail-fast.json", file438, sizeof(file438)},
    {"Scenarios/interceptors/chain/rewrite-flow-control.json", file439, sizeof(file439)},
    {"Scenarios/interceptors/chain/rewrite-headers.json", file440, sizeof(file440)},
    {"Scenarios/interceptors/chain/rewrite-host.json", file441, sizeof(file441)},
    {"Scenarios/interceptors/chain/rewrite-interceptors-lazily.json", file442, sizeof(file442)},
    {"Scenarios/interceptors/chain/rewrite-interceptors.json", file443, sizeof(file443)},
    {"Scenarios/interceptors/chain/rewrite-messages.json", file444, sizeof(file444)},
    {"Scenarios/interceptors/chain/rewrite-path-for-the-server.json", file445, sizeof(file445)},
    {"Scenarios/interceptors/chain/rewrite-path.json", file446, sizeof(file446)},
    {"Scenarios/interceptors/chain/rewrite-verb.json", file447, sizeof(file447)},
    {"Scenarios/interceptors/chain/several-writes.json", file448, sizeof(file448)},
    {"Scenarios/interceptors/chain/shuts-down-early.json", file449, sizeof(file449)},
    {"Scenarios/interceptors/chain/starts-twice.json", file450, sizeof(file450)},
    {"Scenarios/interceptors/chain/state-of-one-call.json", file451, sizeof(file451)},
    {"Scenarios/interceptors/chain/suspended-as-calls-start.json", file452, sizeof(file452)},
    {"Scenarios/interceptors/chain/turns-drawn.json", file453, sizeof(file453)},
    {"Scenarios/interceptors/chain/unary-across-a-change.json", file454, sizeof(file454)},
    {"Scenarios/interceptors/chain/writes-before-the-start.json", file455, sizeof(file455)},
    {"Scenarios/interceptors/logging/cellular-to-none.json", file456, sizeof(file456)},
    {"Scenarios/interceptors/logging/cellular-to-wifi.json", file457, sizeof(file457)},
    {"Scenarios/interceptors/logging/none-to-cellular.json", file458, sizeof(file458)},
    {"Scenarios/interceptors/logging/none-to-wifi.json", file459, sizeof(file459)},
    {"Scenarios/interceptors/logging/wifi-to-cellular.json", file460, sizeof(file460)},
    {"Scenarios/interceptors/logging/wifi-to-none.json", file461, sizeof(file461)},
    {"Scenarios/interceptors/metrics/cellular-to-none.json", file462, sizeof(file462)},
    {"Scenarios/interceptors/metrics/cellular-to-wifi.json", file463, sizeof(file463)},
    {"Scenarios/interceptors/metrics/none-to-cellular.json", file464, sizeof(file464)},
    {"Scenarios/interceptors/metrics/none-to-wifi.json", file465, sizeof(file465)},
    {"Scenarios/interceptors/metrics/wifi-to-cellular.json", file466, sizeof(file466)},
    {"Scenarios/interceptors/metrics/wifi-to-none.json", file467, sizeof(file467)},
    {"Scenarios/interceptors/mock/cellular-to-none.json", file468, sizeof(file468)},
    {"Scenarios/interceptors/mock/cellular-to-wifi.json", file469, sizeof(file469)},
    {"Scenarios/interceptors/mock/none-to-cellular.json", file470, sizeof(file470)},
    {"Scenarios/interceptors/mock/none-to-wifi.json", file471, sizeof(file471)},
    {"Scenarios/interceptors/mock/wifi-to-cellular.json", file472, sizeof(file472)},
    {"Scenarios/interceptors/mock/wifi-to-none.json", file473, sizeof(file473)},
    {"Scenarios/interceptors/retry/cellular-to-none.json", file474, sizeof(file474)},
    {"Scenarios/interceptors/retry/cellular-to-wifi.json", file475, sizeof(file475)},
    {"Scenarios/interceptors/retry/deadline.json", file476, sizeof(file476)},
    {"Scenarios/interceptors/retry/none-to-cellular.json", file477, sizeof(file477)},
    {"Scenarios/interceptors/retry/none-to-wifi.json", file478, sizeof(file478)},
    {"Scenarios/interceptors/retry/wifi-to-cellular.json", file479, sizeof(file479)},
    {"Scenarios/interceptors/retry/wifi-to-none.json", file480, sizeof(file480)},
    {"Scenarios/interceptors/token/cellular-to-none.json", file481, sizeof(file481)},
    {"Scenarios/interceptors/token/cellular-to-wifi.json", file482, sizeof(file482)},
    {"Scenarios/interceptors/token/none-to-cellular.json", file483, sizeof(file483)},
    {"Scenarios/interceptors/token/none-to-wifi.json", file484, sizeof(file484)},
    {"Scenarios/interceptors/token/wifi-to-cellular.json", file485, sizeof(file485)},
    {"Scenarios/interceptors/token/wifi-to-none.json", file486, sizeof(file486)},
    {"Scenarios/keepalive/cellular-to-wifi.json", file487, sizeof(file487)},
    {"Scenarios/keepalive/hotspot-change-in-the-background.json", file488, sizeof(file488)},
    {"Scenarios/keepalive/no-call-no-ping.json", file489, sizeof(file489)},
    {"Scenarios/keepalive/options-of-a-call.json", file490, sizeof(file490)},
    {"Scenarios/keepalive/ping-starts-the-clock.json", file491, sizeof(file491)},
    {"Scenarios/keepalive/ping-unanswered.json", file492, sizeof(file492)},
    {"Scenarios/keepalive/ping-without-calls.json", file493, sizeof(file493)},
    {"Scenarios/keepalive/server-falls-silent.json", file494, sizeof(file494)},
    {"Scenarios/keepalive/with-and-without.json", file495, sizeof(file495)},
    {"Scenarios/keepalive/without-it-the-hotspot-change-stays.json", file496, sizeof(file496)},
    {"Scenarios/monitor/callback-late-for-a-healthy-connection.json", file497, sizeof(file497)},
    {"Scenarios/monitor/callback-late.json", file498, sizeof(file498)},
    {"Scenarios/monitor/callback-lost-and-made-good.json", file499, sizeof(file499)},
    {"Scenarios/monitor/callback-takes-time.json", file500, sizeof(file500)},
    {"Scenarios/monitor/callback-twice.json", file501, sizeof(file501)},
    {"Scenarios/monitor/deaf.json", file502, sizeof(file502)},
    {"Scenarios/monitor/initial-read-is-silent.json", file503, sizeof(file503)},
    {"Scenarios/monitor/none-to-cellular.json", file504, sizeof(file504)},
    {"Scenarios/monitor/none-to-wifi.json", file505, sizeof(file505)},
    {"Scenarios/monitor/on-linux-another-category.json", file506, sizeof(file506)},
    {"Scenarios/monitor/on-linux-another-hotspot.json", file507, sizeof(file507)},
    {"Scenarios/monitor/other-flags-are-ignored.json", file508, sizeof(file508)},
    {"Scenarios/monitor/overrun-hides-a-round-trip.json", file509, sizeof(file509)},
    {"Scenarios/monitor/overrun-reads-afresh.json", file510, sizeof(file510)},
    {"Scenarios/monitor/table-000-none.json", file511, sizeof(file511)},
    {"Scenarios/monitor/table-001-none.json", file512, sizeof(file512)},
    {"Scenarios/monitor/table-010-none.json", file513, sizeof(file513)},
    {"Scenarios/monitor/table-011-none.json", file514, sizeof(file514)},
    {"Scenarios/monitor/table-100-wifi.json", file515, sizeof(file515)},
    {"Scenarios/monitor/table-101-cellular.json", file516, sizeof(file516)},
    {"Scenarios/monitor/table-110-none.json", file517, sizeof(file517)},
    {"Scenarios/monitor/table-111-none.json", file518, sizeof(file518)},
    {"Scenarios/monitor/unknown-start-to-cellular.json", file519, sizeof(file519)},
    {"Scenarios/monitor/unknown-start-to-none.json", file520, sizeof(file520)},
    {"Scenarios/monitor/unknown-start-to-wifi.json", file521, sizeof(file521)},
    {"Scenarios/names/look-up-ends-without-a-network.json", file522, sizeof(file522)},
    {"Scenarios/names/look-up-outlives-a-hotspot.json", file523, sizeof(file523)},
    {"Scenarios/names/look-up-outlives-its-path.json", file524, sizeof(file524)},
    {"Scenarios/names/open-connection-needs-no-name.json", file525, sizeof(file525)},
    {"Scenarios/names/resolution-fails-at-first.json", file526, sizeof(file526)},
    {"Scenarios/names/resolution-fails.json", file527, sizeof(file527)},
    {"Scenarios/names/resolution-hangs.json", file528, sizeof(file528)},
    {"Scenarios/names/resolution-never-answers.json", file529, sizeof(file529)},
    {"Scenarios/networks/intranet-over-another-network.json", file530, sizeof(file530)},
    {"Scenarios/networks/portal.json", file531, sizeof(file531)},
    {"Scenarios/networks/same-address-roam.json", file532, sizeof(file532)},
    {"Scenarios/networks/unknown-flows-are-reset.json", file533, sizeof(file533)},
    {"Scenarios/order/anybody-hears-first.json", file534, sizeof(file534)},
    {"Scenarios/order/callback-before-the-next-call.json", file535, sizeof(file535)},
    {"Scenarios/order/calls-hear-first.json", file536, sizeof(file536)},
    {"Scenarios/order/deadline-before-the-answer.json", file537, sizeof(file537)},
    {"Scenarios/order/loss-before-its-callback.json", file538, sizeof(file538)},
    {"Scenarios/order/pool-hears-first.json", file539, sizeof(file539)},
    {"Scenarios/pairs/background/000-to-000.json", file540, sizeof(file540)},
    {"Scenarios/pairs/background/000-to-001.json", file541, sizeof(file541)},
    {"Scenarios/pairs/background/000-to-010.json", file542, sizeof(file542)},
    {"Scenarios/pairs/background/000-to-011.json", file543, sizeof(file543)},
    {"Scenarios/pairs/background/000-to-100.json", file544, sizeof(file544)},
    {"Scenarios/pairs/background/000-to-101.json", file545, sizeof(file545)},
    {"Scenarios/pairs/background/000-to-110.json", file546, sizeof(file546)},
    {"Scenarios/pairs/background/000-to-111.json", file547, sizeof(file547)},
    {"Scenarios/pairs/background/001-to-000.json", file548, sizeof(file548)},
    {"Scenarios/pairs/background/001-to-001.json", file549, sizeof(file549)},
    {"Scenarios/pairs/background/001-to-010.json", file550, sizeof(file550)},
    {"Scenarios/pairs/background/001-to-011.json", file551, sizeof(file551)},
    {"Scenarios/pairs/background/001-to-100.json", file552, sizeof(file552)},
    {"Scenarios/pairs/background/001-to-101.json", file553, sizeof(file553)},
    {"Scenarios/pairs/background/001-to-110.json", file554, sizeof(file554)},
    {"Scenarios/pairs/background/001-to-111.json", file555, sizeof(file555)},
    {"Scenarios/pairs/background/010-to-000.json", file556, sizeof(file556)},
    {"Scenarios/pairs/background/010-to-001.json", file557, sizeof(file557)},
    {"Scenarios/pairs/background/010-to-010.json", file558, sizeof(file558)},
    {"Scenarios/pairs/background/010-to-011.json", file559, sizeof(file559)},
    {"Scenarios/pairs/background/010-to-100.json", file560, sizeof(file560)},
    {"Scenarios/pairs/background/010-to-101.json", file561, sizeof(file561)},
    {"Scenarios/pairs/background/010-to-110.json", file562, sizeof(file562)},
    {"Scenarios/pairs/background/010-to-111.json", file563, sizeof(file563)},
    {"Scenarios/pairs/background/011-to-000.json", file564, sizeof(file564)},
    {"Scenarios/pairs/background/011-to-001.json", file565, sizeof(file565)},
    {"Scenarios/pairs/background/011-to-010.json", file566, sizeof(file566)},
    {"Scenarios/pairs/background/011-to-011.json", file567, sizeof(file567)},
    {"Scenarios/pairs/background/011-to-100.json", file568, sizeof(file568)},
    {"Scenarios/pairs/background/011-to-101.json", file569, sizeof(file569)},
    {"Scenarios/pairs/background/011-to-110.json", file570, sizeof(file570)},
    {"Scenarios/pairs/background/011-to-111.json", file571, sizeof(file571)},
    {"Scenarios/pairs/background/100-to-000.json", file572, sizeof(file572)},
    {"Scenarios/pairs/background/100-to-001.json", file573, sizeof(file573)},
    {"Scenarios/pairs/background/100-to-010.json", file574, sizeof(file574)},
    {"Scenarios/pairs/background/100-to-011.json", file575, sizeof(file575)},
    {"Scenarios/pairs/background/100-to-100.json", file576, sizeof(file576)},
    {"Scenarios/pairs/background/100-to-101.json", file577, sizeof(file577)},
    {"Scenarios/pairs/background/100-to-110.json", file578, sizeof(file578)},
    {"Scenarios/pairs/background/100-to-111.json", file579, sizeof(file579)},
    {"Scenarios/pairs/background/101-to-000.json", file580, sizeof(file580)},
    {"Scenarios/pairs/background/101-to-001.json", file581, sizeof(file581)},
    {"Scenarios/pairs/background/101-to-010.json", file582, sizeof(file582)},
    {"Scenarios/pairs/background/101-to-011.json", file583, sizeof(file583)},
    {"Scenarios/pairs/background/101-to-100.json", file584, sizeof(file584)},
    {"Scenarios/pairs/background/101-to-101.json", file585, sizeof(file585)},
    {"Scenarios/pairs/background/101-to-110.json", file586, sizeof(file586)},
    {"Scenarios/pairs/background/101-to-111.json", file587, sizeof(file587)},
    {"Scenarios/pairs/background/110-to-000.json", file588, sizeof(file588)},
    {"Scenarios/pairs/background/110-to-001.json", file589, sizeof(file589)},
    {"Scenarios/pairs/background/110-to-010.json", file590, sizeof(file590)},
    {"Scenarios/pairs/background/110-to-011.json", file591, sizeof(file591)},
    {"Scenarios/pairs/background/110-to-100.json", file592, sizeof(file592)},
    {"Scenarios/pairs/background/110-to-101.json", file593, sizeof(file593)},
    {"Scenarios/pairs/background/110-to-110.json", file594, sizeof(file594)},
    {"Scenarios/pairs/background/110-to-111.json", file595, sizeof(file595)},
    {"Scenarios/pairs/background/111-to-000.json", file596, sizeof(file596)},
    {"Scenarios/pairs/background/111-to-001.json", file597, sizeof(file597)},
    {"Scenarios/pairs/background/111-to-010.json", file598, sizeof(file598)},
    {"Scenarios/pairs/background/111-to-011.json", file599, sizeof(file599)},
    {"Scenarios/pairs/background/111-to-100.json", file600, sizeof(file600)},
    {"Scenarios/pairs/background/111-to-101.json", file601, sizeof(file601)},
    {"Scenarios/pairs/background/111-to-110.json", file602, sizeof(file602)},
    {"Scenarios/pairs/background/111-to-111.json", file603, sizeof(file603)},
    {"Scenarios/pairs/foreground/000-to-000.json", file604, sizeof(file604)},
    {"Scenarios/pairs/foreground/000-to-001.json", file605, sizeof(file605)},
    {"Scenarios/pairs/foreground/000-to-010.json", file606, sizeof(file606)},
    {"Scenarios/pairs/foreground/000-to-011.json", file607, sizeof(file607)},
    {"Scenarios/pairs/foreground/000-to-100.json", file608, sizeof(file608)},
    {"Scenarios/pairs/foreground/000-to-101.json", file609, sizeof(file609)},
    {"Scenarios/pairs/foreground/000-to-110.json", file610, sizeof(file610)},
    {"Scenarios/pairs/foreground/000-to-111.json", file611, sizeof(file611)},
    {"Scenarios/pairs/foreground/001-to-000.json", file612, sizeof(file612)},
    {"Scenarios/pairs/foreground/001-to-001.json", file613, sizeof(file613)},
    {"Scenarios/pairs/foreground/001-to-010.json", file614, sizeof(file614)},
    {"Scenarios/pairs/foreground/001-to-011.json", file615, sizeof(file615)},
    {"Scenarios/pairs/foreground/001-to-100.json", file616, sizeof(file616)},
    {"Scenarios/pairs/foreground/001-to-101.json", file617, sizeof(file617)},
    {"Scenarios/pairs/foreground/001-to-110.json", file618, sizeof(file618)},
    {"Scenarios/pairs/foreground/001-to-111.json", file619, sizeof(file619)},
    {"Scenarios/pairs/foreground/010-to-000.json", file620, sizeof(file620)},
    {"Scenarios/pairs/foreground/010-to-001.json", file621, sizeof(file621)},
    {"Scenarios/pairs/foreground/010-to-010.json", file622, sizeof(file622)},
    {"Scenarios/pairs/foreground/010-to-011.json", file623, sizeof(file623)},
    {"Scenarios/pairs/foreground/010-to-100.json", file624, sizeof(file624)},
    {"Scenarios/pairs/foreground/010-to-101.json", file625, sizeof(file625)},
    {"Scenarios/pairs/foreground/010-to-110.json", file626, sizeof(file626)},
    {"Scenarios/pairs/foreground/010-to-111.json", file627, sizeof(file627)},
    {"Scenarios/pairs/foreground/011-to-000.json", file628, sizeof(file628)},
    {"Scenarios/pairs/foreground/011-to-001.json", file629, sizeof(file629)},
    {"Scenarios/pairs/foreground/011-to-010.json", file630, sizeof(file630)},
    {"Scenarios/pairs/foreground/011-to-011.json", file631, sizeof(file631)},
    {"Scenarios/pairs/foreground/011-to-100.json", file632, sizeof(file632)},
    {"Scenarios/pairs/foreground/011-to-101.json", file633, sizeof(file633)},
    {"Scenarios/pairs/foreground/011-to-110.json", file634, sizeof(file634)},
    {"Scenarios/pairs/foreground/011-to-111.json", file635, sizeof(file635)},
    {"Scenarios/pairs/foreground/100-to-000.json", file636, sizeof(file636)},
    {"Scenarios/pairs/foreground/100-to-001.json", file637, sizeof(file637)},
    {"Scenarios/pairs/foreground/100-to-010.json", file638, sizeof(file638)},
    {"Scenarios/pairs/foreground/100-to-011.json", file639, sizeof(file639)},
    {"Scenarios/pairs/foreground/100-to-100.json", file640, sizeof(file640)},
    {"Scenarios/pairs/foreground/100-to-101.json", file641, sizeof(file641)},
    {"Scenarios/pairs/foreground/100-to-110.json", file642, sizeof(file642)},
    {"Scenarios/pairs/foreground/100-to-111.json", file643, sizeof(file643)},
    {"Scenarios/pairs/foreground/101-to-000.json", file644, sizeof(file644)},
    {"Scenarios/pairs/foreground/101-to-001.json", file645, sizeof(file645)},
    {"Scenarios/pairs/foreground/101-to-010.json", file646, sizeof(file646)},
    {"Scenarios/pairs/foreground/101-to-011.json", file647, sizeof(file647)},
    {"Scenarios/pairs/foreground/101-to-100.json", file648, sizeof(file648)},
    {"Scenarios/pairs/foreground/101-to-101.json", file649, sizeof(file649)},
    {"Scenarios/pairs/foreground/101-to-110.json", file650, sizeof(file650)},
    {"Scenarios/pairs/foreground/101-to-111.json", file651, sizeof(file651)},
    {"Scenarios/pairs/foreground/110-to-000.json", file652, sizeof(file652)},
    {"Scenarios/pairs/foreground/110-to-001.json", file653, sizeof(file653)},
    {"Scenarios/pairs/foreground/110-to-010.json", file654, sizeof(file654)},
    {"Scenarios/pairs/foreground/110-to-011.json", file655, sizeof(file655)},
    {"Scenarios/pairs/foreground/110-to-100.json", file656, sizeof(file656)},
    {"Scenarios/pairs/foreground/110-to-101.json", file657, sizeof(file657)},
    {"Scenarios/pairs/foreground/110-to-110.json", file658, sizeof(file658)},
    {"Scenarios/pairs/foreground/110-to-111.json", file659, sizeof(file659)},
    {"Scenarios/pairs/foreground/111-to-000.json", file660, sizeof(file660)},
    {"Scenarios/pairs/foreground/111-to-001.json", file661, sizeof(file661)},
    {"Scenarios/pairs/foreground/111-to-010.json", file662, sizeof(file662)},
    {"Scenarios/pairs/foreground/111-to-011.json", file663, sizeof(file663)},
    {"Scenarios/pairs/foreground/111-to-100.json", file664, sizeof(file664)},
    {"Scenarios/pairs/foreground/111-to-101.json", file665, sizeof(file665)},
    {"Scenarios/pairs/foreground/111-to-110.json", file666, sizeof(file666)},
    {"Scenarios/pairs/foreground/111-to-111.json", file667, sizeof(file667)},
    {"Scenarios/pool/call-after-disconnect.json", file668, sizeof(file668)},
    {"Scenarios/pool/call-after-its-channel-is-gone.json", file669, sizeof(file669)},
    {"Scenarios/pool/call-right-after-disconnect-all.json", file670, sizeof(file670)},
    {"Scenarios/pool/call-within-30s-starts-the-delay-anew.json", file671, sizeof(file671)},
    {"Scenarios/pool/cancel-of-a-call-from-before-a-disconnect.json", file672, sizeof(file672)},
    {"Scenarios/pool/cancel-of-an-ended-call.json", file673, sizeof(file673)},
    {"Scenarios/pool/connects-lazily.json", file674, sizeof(file674)},
    {"Scenarios/pool/disconnect-all.json", file675, sizeof(file675)},
    {"Scenarios/pool/disconnect-one-host.json", file676, sizeof(file676)},
    {"Scenarios/pool/disconnect-with-waiting-calls.json", file677, sizeof(file677)},
    {"Scenarios/pool/disconnect-without-channel.json", file678, sizeof(file678)},
    {"Scenarios/pool/half-a-second.json", file679, sizeof(file679)},
    {"Scenarios/pool/long-call-keeps-its-channel.json", file680, sizeof(file680)},
    {"Scenarios/pool/no-port-is-443.json", file681, sizeof(file681)},
    {"Scenarios/pool/one-host-three-spellings.json", file682, sizeof(file682)},
    {"Scenarios/pool/options-in-the-key.json", file683, sizeof(file683)},
    {"Scenarios/pool/options-outside-the-key.json", file684, sizeof(file684)},
    {"Scenarios/pool/resolver-prefix-is-kept.json", file685, sizeof(file685)},
    {"Scenarios/pool/state-gone-before-anybody-looks.json", file686, sizeof(file686)},
    {"Scenarios/pool/states.json", file687, sizeof(file687)},
    {"Scenarios/pool/unused-channel-ends-after-30s.json", file688, sizeof(file688)},
    {"Scenarios/quality/flaps-round-trip-does-not-fit.json", file689, sizeof(file689)},
    {"Scenarios/quality/flaps-round-trip-fits.json", file690, sizeof(file690)},
    {"Scenarios/quality/lossy-link.json", file691, sizeof(file691)},
    {"Scenarios/quality/mtu-black-hole-with-keepalive.json", file692, sizeof(file692)},
    {"Scenarios/quality/mtu-black-hole.json", file693, sizeof(file693)},
    {"Scenarios/quality/mtu-told.json", file694, sizeof(file694)},
    {"Scenarios/quality/narrow-link.json", file695, sizeof(file695)},
    {"Scenarios/quality/slow-link-hasty-keepalive.json", file696, sizeof(file696)},
    {"Scenarios/quality/slow-link-patient-keepalive.json", file697, sizeof(file697)},
    {"Scenarios/quality/slow-link.json", file698, sizeof(file698)},
    {"Scenarios/quic/an-identifier-is-left.json", file699, sizeof(file699)},
    {"Scenarios/quic/another-address.json", file700, sizeof(file700)},
    {"Scenarios/quic/another-port.json", file701, sizeof(file701)},
    {"Scenarios/quic/dead-uplink.json", file702, sizeof(file702)},
    {"Scenarios/quic/identifiers-used-up.json", file703, sizeof(file703)},
    {"Scenarios/quic/limit-reached.json", file704, sizeof(file704)},
    {"Scenarios/quic/network-lingers.json", file705, sizeof(file705)},
    {"Scenarios/quic/nobody-answers.json", file706, sizeof(file706)},
    {"Scenarios/quic/over-a-slow-network.json", file707, sizeof(file707)},
    {"Scenarios/quic/refused-by-the-server.json", file708, sizeof(file708)},
    {"Scenarios/quic/suspended.json", file709, sizeof(file709)},
    {"Scenarios/quic/there-and-back.json", file710, sizeof(file710)},
    {"Scenarios/quic/uplink-returns.json", file711, sizeof(file711)},
    {"Scenarios/quic/who-only-listens.json", file712, sizeof(file712)},
    {"Scenarios/quic/wifi-to-cellular.json", file713, sizeof(file713)},
    {"Scenarios/server/closes.json", file714, sizeof(file714)},
    {"Scenarios/server/falls-silent.json", file715, sizeof(file715)},
    {"Scenarios/server/goes-away.json", file716, sizeof(file716)},
    {"Scenarios/server/ignores-calls-after-goaway.json", file717, sizeof(file717)},
    {"Scenarios/server/read-twice.json", file718, sizeof(file718)},
    {"Scenarios/server/reads-again.json", file719, sizeof(file719)},
    {"Scenarios/server/refuses-the-new-keeps-the-old.json", file720, sizeof(file720)},
    {"Scenarios/server/requests-over-each-network.json", file721, sizeof(file721)},
    {"Scenarios/server/resets.json", file722, sizeof(file722)},
    {"Scenarios/server/silent-is-no-stall.json", file723, sizeof(file723)},
    {"Scenarios/space/cellular-to-none-awaiting-token-connecting.json", file724, sizeof(file724)},
    {"Scenarios/space/cellular-to-none-awaiting-token-idle.json", file725, sizeof(file725)},
    {"Scenarios/space/cellular-to-none-awaiting-token-no-channel.json", file726, sizeof(file726)},
    {"Scenarios/space/cellular-to-none-awaiting-token-ready.json", file727, sizeof(file727)},
    {"Scenarios/space/cellular-to-none-awaiting-token-transient-failure.json", file728, sizeof(file728)},
    {"Scenarios/space/cellular-to-none-no-call-connecting.json", file729, sizeof(file729)},
    {"Scenarios/space/cellular-to-none-no-call-idle.json", file730, sizeof(file730)},
    {"Scenarios/space/cellular-to-none-no-call-transient-failure.json", file731, sizeof(file731)},
    {"Scenarios/space/cellular-to-none-running-connecting.json", file732, sizeof(file732)},
    {"Scenarios/space/cellular-to-none-running-idle.json", file733, sizeof(file733)},
    {"Scenarios/space/cellular-to-none-running-transient-failure.json", file734, sizeof(file734)},
    {"Scenarios/space/cellular-to-none-waiting-connecting.json", file735, sizeof(file735)},
    {"Scenarios/space/cellular-to-none-waiting-idle.json", file736, sizeof(file736)},
    {"Scenarios/space/cellular-to-none-waiting-transient-failure.json", file737, sizeof(file737)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-connecting.json", file738, sizeof(file738)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-idle.json", file739, sizeof(file739)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-no-channel.json", file740, sizeof(file740)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-ready.json", file741, sizeof(file741)},
    {"Scenarios/space/cellular-to-wifi-awaiting-token-transient-failure.json", file742, sizeof(file742)},
    {"Scenarios/space/cellular-to-wifi-no-call-connecting.json", file743, sizeof(file743)},
    {"Scenarios/space/cellular-to-wifi-no-call-idle.json", file744, sizeof(file744)},
    {"Scenarios/space/cellular-to-wifi-running-connecting.json", file745, sizeof(file745)},
    {"Scenarios/space/cellular-to-wifi-running-idle.json", file746, sizeof(file746)},
    {"Scenarios/space/cellular-to-wifi-running-transient-failure.json", file747, sizeof(file747)},
    {"Scenarios/space/cellular-to-wifi-waiting-idle.json", file748, sizeof(file748)},
    {"Scenarios/space/cellular-to-wifi-waiting-transient-failure.json", file749, sizeof(file749)},
    {"Scenarios/space/none-to-cellular-awaiting-token-connecting.json", file750, sizeof(file750)},
    {"Scenarios/space/none-to-cellular-awaiting-token-idle.json", file751, sizeof(file751)},
    {"Scenarios/space/none-to-cellular-awaiting-token-no-channel.json", file752, sizeof(file752)},
    {"Scenarios/space/none-to-cellular-awaiting-token-ready.json", file753, sizeof(file753)},
    {"Scenarios/space/none-to-cellular-awaiting-token-transient-failure.json", file754, sizeof(file754)},
    {"Scenarios/space/none-to-cellular-no-call-connecting.json", file755, sizeof(file755)},
    {"Scenarios/space/none-to-cellular-no-call-idle.json", file756, sizeof(file756)},
    {"Scenarios/space/none-to-cellular-no-call-ready.json", file757, sizeof(file757)},
    {"Scenarios/space/none-to-cellular-running-connecting.json", file758, sizeof(file758)},
    {"Scenarios/space/none-to-cellular-running-idle.json", file759, sizeof(file759)},
    {"Scenarios/space/none-to-cellular-running-ready.json", file760, sizeof(file760)},
    {"Scenarios/space/none-to-cellular-running-transient-failure.json", file761, sizeof(file761)},
    {"Scenarios/space/none-to-cellular-waiting-connecting.json", file762, sizeof(file762)},
    {"Scenarios/space/none-to-cellular-waiting-idle.json", file763, sizeof(file763)},
    {"Scenarios/space/none-to-wifi-awaiting-token-connecting.json", file764, sizeof(file764)},
    {"Scenarios/space/none-to-wifi-awaiting-token-idle.json", file765, sizeof(file765)},
    {"Scenarios/space/none-to-wifi-awaiting-token-no-channel.json", file766, sizeof(file766)},
    {"Scenarios/space/none-to-wifi-awaiting-token-ready.json", file767, sizeof(file767)},
    {"Scenarios/space/none-to-wifi-awaiting-token-transient-failure.json", file768, sizeof(file768)},
    {"Scenarios/space/none-to-wifi-no-call-connecting.json", file769, sizeof(file769)},
    {"Scenarios/space/none-to-wifi-no-call-idle.json", file770, sizeof(file770)},
    {"Scenarios/space/none-to-wifi-no-call-ready.json", file771, sizeof(file771)},
    {"Scenarios/space/none-to-wifi-running-connecting.json", file772, sizeof(file772)},
    {"Scenarios/space/none-to-wifi-running-idle.json", file773, sizeof(file773)},
    {"Scenarios/space/none-to-wifi-running-ready.json", file774, sizeof(file774)},
    {"Scenarios/space/none-to-wifi-running-transient-failure.json", file775, sizeof(file775)},
    {"Scenarios/space/none-to-wifi-waiting-connecting.json", file776, sizeof(file776)},
    {"Scenarios/space/none-to-wifi-waiting-idle.json", file777, sizeof(file777)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-connecting.json", file778, sizeof(file778)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-idle.json", file779, sizeof(file779)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-no-channel.json", file780, sizeof(file780)},
    {"Scenarios/space/wifi-to-cellular-awaiting-token-transient-failure.json", file781, sizeof(file781)},
    {"Scenarios/space/wifi-to-cellular-no-call-connecting.json", file782, sizeof(file782)},
    {"Scenarios/space/wifi-to-cellular-no-call-idle.json", file783, sizeof(file783)},
    {"Scenarios/space/wifi-to-cellular-running-connecting.json", file784, sizeof(file784)},
    {"Scenarios/space/wifi-to-cellular-running-idle.json", file785, sizeof(file785)},
    {"Scenarios/space/wifi-to-cellular-running-transient-failure.json", file786, sizeof(file786)},
    {"Scenarios/space/wifi-to-cellular-waiting-idle.json", file787, sizeof(file787)},
    {"Scenarios/space/wifi-to-cellular-waiting-transient-failure.json", file788, sizeof(file788)},
    {"Scenarios/space/wifi-to-none-awaiting-token-connecting.json", file789, sizeof(file789)},
    {"Scenarios/space/wifi-to-none-awaiting-token-idle.json", file790, sizeof(file790)},
    {"Scenarios/space/wifi-to-none-awaiting-token-no-channel.json", file791, sizeof(file791)},
    {"Scenarios/space/wifi-to-none-awaiting-token-ready.json", file792, sizeof(file792)},
    {"Scenarios/space/wifi-to-none-awaiting-token-transient-failure.json", file793, sizeof(file793)},
    {"Scenarios/space/wifi-to-none-no-call-connecting.json", file794, sizeof(file794)},
    {"Scenarios/space/wifi-to-none-no-call-idle.json", file795, sizeof(file795)},
    {"Scenarios/space/wifi-to-none-running-connecting.json", file796, sizeof(file796)},
    {"Scenarios/space/wifi-to-none-running-idle.json", file797, sizeof(file797)},
    {"Scenarios/space/wifi-to-none-running-transient-failure.json", file798, sizeof(file798)},
    {"Scenarios/space/wifi-to-none-waiting-idle.json", file799, sizeof(file799)},
    {"Scenarios/space/wifi-to-none-waiting-transient-failure.json", file800, sizeof(file800)},
    {"Scenarios/stalls/acknowledged-and-thrown-away.json", file801, sizeof(file801)},
    {"Scenarios/stalls/deadline-starts-the-clock.json", file802, sizeof(file802)},
    {"Scenarios/stalls/five-seconds.json", file803, sizeof(file803)},
    {"Scenarios/stalls/half-closed.json", file804, sizeof(file804)},
    {"Scenarios/stalls/killed.json", file805, sizeof(file805)},
    {"Scenarios/stalls/nothing-written-nothing-noticed.json", file806, sizeof(file806)},
    {"Scenarios/stalls/quarter-of-an-hour.json", file807, sizeof(file807)},
    {"Scenarios/stalls/stall-and-resume.json", file808, sizeof(file808)},
    {"Scenarios/stalls/tcp-times-out.json", file809, sizeof(file809)},
    {"Scenarios/transitions/airplane-mode-over-cellular.json", file810, sizeof(file810)},
    {"Scenarios/transitions/away-and-back.json", file811, sizeof(file811)},
    {"Scenarios/transitions/call-started-at-the-same-instant.json", file812, sizeof(file812)},
    {"Scenarios/transitions/cancel-at-the-same-instant.json", file813, sizeof(file813)},
    {"Scenarios/transitions/cellular-to-wifi-unfinished-stream.json", file814, sizeof(file814)},
    {"Scenarios/transitions/cellular-to-wifi-unused-connection.json", file815, sizeof(file815)},
    {"Scenarios/transitions/cellular-to-wifi-while-connecting.json", file816, sizeof(file816)},
    {"Scenarios/transitions/deadline-at-the-same-instant.json", file817, sizeof(file817)},
    {"Scenarios/transitions/drains-and-connects.json", file818, sizeof(file818)},
    {"Scenarios/transitions/every-change-between-three.json", file819, sizeof(file819)},
    {"Scenarios/transitions/every-host-is-hit.json", file820, sizeof(file820)},
    {"Scenarios/transitions/first-call-at-the-same-instant.json", file821, sizeof(file821)},
    {"Scenarios/transitions/hotspot-change-with-callback.json", file822, sizeof(file822)},
    {"Scenarios/transitions/hotspot-change.json", file823, sizeof(file823)},
    {"Scenarios/transitions/in-the-longest-backoff.json", file824, sizeof(file824)},
    {"Scenarios/transitions/link-left-goes-down-later.json", file825, sizeof(file825)},
    {"Scenarios/transitions/link-left-stays-up.json", file826, sizeof(file826)},
    {"Scenarios/transitions/radio-change.json", file827, sizeof(file827)},
    {"Scenarios/transitions/wifi-none-wifi.json", file828, sizeof(file828)},
    {"Scenarios/transitions/wifi-to-cellular-while-connecting.json", file829, sizeof(file829)},
    {"Scenarios/transitions/wifi-to-cellular.json", file830, sizeof(file830)},
    {"Scenarios/transitions/wifi-to-none.json", file831, sizeof(file831)},
};

size_t handover_file_count(void) { return sizeof(files) / sizeof(files[0]); }

const struct handover_file *handover_file_at(size_t index) { return &files[index]; }
