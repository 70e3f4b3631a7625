// The parts of libnl that are used, together with the kernel's own constants. Do not include
// <net/if.h> in any file that includes <linux/if.h>, because both define the same names.
#ifndef HANDOVER_CNETLINK_SHIM_H
#define HANDOVER_CNETLINK_SHIM_H

#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/inet_diag.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/object.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <netlink/route/rtnl.h>
#include <netlink/route/rule.h>
#include <netlink/socket.h>

#endif
