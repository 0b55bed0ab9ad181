// The values of group keys, on their way to other servers, each of which limits privacy units in these groups
// (shard_groups.h): a parameter of the question that each is sent. Texts, because numbers of types and of labels are
// others on another server.
//
// A group has the number that its keys' places among these values give, the last key first to change, as in
// sent_groups.h. The order in which they are sent is all that is taken over: texts may be in another order there.
#pragma once

#include <span>

#include "aggregate/call/sent_groups.h"

namespace dp::aggregate {

// What stands for them among the values of an inner query, as an expression, until they are known; and the parameter
// that says so, once values are evaluated.
Node* keys_for_servers();
bool are_keys_for_servers(const Node* value);
void reserve_keys_for_servers(ParamExternData* parameter);

// Whether one of the parameters is reserved for them.
bool asks_servers_for_groups(ParamListInfo parameters);

// Lets it say what the values are, in the current memory context, which must live as long as the plan. Raises DP002
// where they are too many.
void send_keys_to_servers(ParamListInfo parameters, std::span<const SentKey> keys);

// Of a key as a server computes it from its rows.
struct KeyType {
  Oid type;
  Oid collation;
};

struct PlacesOfServer {
  const Places* places;
  std::int64_t groups;
};

// What was sent to this server, in the current memory context. Raises 22P03 where it is not about such keys.
PlacesOfServer sent_to_server(const bytea* sent, std::span<const KeyType> keys);

}  // namespace dp::aggregate
