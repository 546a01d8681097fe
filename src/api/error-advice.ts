import type { ErrorCode } from '../core/errors.ts'

/** Advice on each error for those who write clients, shown on the page of the error (rules 1.21). */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  malformed_json: 'Send a body that is JSON in UTF-8; a body that broke off on the way is sent again.',
  token_missing: 'Send `Authorization: Bearer …` with the token of a log-in, or with an API key.',
  token_invalid: 'Log in again. An API key that gets this has expired, was revoked, or is misspelled.',
  user_not_found: 'The account of the token is gone. Log in with another one.',
  invalid_credentials: 'Check username and password. After several wrong ones the account waits a while.',
  insufficient_balance:
    'Top up `shortfall` or more, then send the request again; with the same key it is made once.',
  account_not_activated: 'Open the link in the activation mail, or ask your agent for another one.',
  account_disabled: 'Ask your agent, or the shop.',
  agent_required: 'Only agents have sub-users. Use the account of an agent.',
  not_direct_sub_user:
    'Use the id of a user whom your account has made; those of others are not yours to change.',
  pool_not_public: 'Extract from this pool by its product number, as its owner.',
  not_permitted: 'Ask an owner of the shop for another role.',
  scope_missing: 'Make a key with the scope in `data.scope`; when it is null, use the token of a log-in.',
  address_not_allowed: 'Call from an address of the key, or make a key that also works from `data.address`.',
  route_not_found: 'Check the path against the documents; the base address is part of it.',
  sub_user_not_found: 'The user does not exist, or was deleted. List your sub-users.',
  order_not_found: 'The number belongs to no order, renewal or top-up that you may see. List them.',
  product_not_found: 'Query the products: their numbers, and which of them are on sale.',
  sub_account_not_found: 'The sub-account does not exist, was deleted, or is not yours. List them.',
  join_link_not_found: 'List your registration links.',
  payout_not_found: 'List your payouts.',
  promo_code_not_found: 'Check the spelling of the code, or order without it.',
  api_key_not_found: 'List your API keys.',
  webhook_not_found:
    '`listWebhooks` answers the webhooks of the account; one that was deleted is not among them.',
  delivery_not_found: '`listWebhookDeliveries` answers the deliveries of the last 30 days.',
  instance_not_found:
    'The number in `data.instance_no` belongs to no proxy of the order, or to none that you may see.',
  method_not_allowed: 'Use a method that the header `Allow` lists.',
  username_taken: 'Choose another name; names of deleted accounts stay taken.',
  promo_code_taken: 'Choose another code.',
  promo_code_not_usable: '`data.reason` says why. Order without the code, or with another one.',
  balance_below_zero: 'Deduct at most what there is: `data.balance`.',
  out_of_stock: 'Order at most `data.available`, choose another place, or try again later.',
  price_changed:
    'Show the new price in `data`, and send it as your ceiling when it suits; 0 asks for no ceiling.',
  traffic_exhausted: 'Buy traffic of the product.',
  traffic_not_available: 'Move at most `data.available`, or buy more.',
  order_processing: 'Read the order until it is processed, then send the request again.',
  top_up_disabled: 'The shop takes no USDT at present. Ask your agent, or the shop.',
  resale_loop: 'A chain of shops sells to itself. Buy from another supplier.',
  gateway_taken: 'Stop one of the two gateways; after `data.retry_after` seconds this one may take over.',
  usage_out_of_order: 'Send the batch with the number in `data.expected`.',
  payment_in_progress: 'Wait until the payment is confirmed, which takes about a minute.',
  invalid_state:
    'Read the order or top-up: what is asked for is not possible in the state that `data.status` names.',
  idempotency_conflict:
    'Use a new number or key for a new request; the old one stands for the request that came first.',
  payload_too_large: 'Send less at once.',
  unsupported_media_type: 'Send JSON with `Content-Type: application/json`, not compressed.',
  misdirected_request: 'Call the sandbox by a loopback address, or set `PUBLIC_URL`.',
  validation_error: '`data.errors` names each field and the rule that it breaks.',
  project_required: 'Send one of the codes in `data.projects` as `projectId`.',
  project_not_allowed: 'Send one of the codes in `data.projects` as `projectId`.',
  location_not_supported_for_product: 'Choose one of `data.supported_regions`.',
  duration_not_supported:
    'Choose a term of whole billing periods: multiples of `data.duration` in `data.unit`.',
  invalid_cidr_blocks: 'Choose ranges that the product lists, in numbers that sum to `ipCount`.',
  assigned_ip_unavailable: 'Choose other addresses, or let the service choose.',
  amount_out_of_range: 'Choose an amount from `data.min_amount` to `data.max_amount`.',
  rate_limited: 'Wait `Retry-After` seconds. The headers `RateLimit-…` tell how much is left.',
  too_many_attempts: 'Wait `Retry-After` seconds. Wrong passwords are counted, whoever sends them.',
  too_many_pending_orders: 'Pay or cancel a top-up, or wait `Retry-After` seconds.',
  internal_error: 'Send it again with the same key. When it stays, tell the shop `request_id`.',
  supplier_error: 'The supplier of the product did not answer. Try again later, or choose another product.',
  unavailable:
    'Wait `Retry-After` seconds and send it again with the same key. Where `data.reason` is there, it says more.',
}
