import type { ErrorCode } from '../core/errors.ts'
import type { Texts } from './language.ts'

interface ErrorEntry extends Texts {
  readonly status: number
}

const entry = (status: number, en: string, zh: string): ErrorEntry => ({ status, en, zh })

/** Every refusal on the wire: HTTP status and texts (rules 1.4). Clients may compare the texts of authentication. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = {
  malformed_json: entry(400, 'The request body is not valid JSON', '请求体不是有效的 JSON'),
  token_missing: entry(401, 'Authentication token missing', '未提供认证令牌'),
  token_invalid: entry(401, 'Invalid authentication token', '无效的认证令牌'),
  user_not_found: entry(401, 'User not found', '用户不存在'),
  invalid_credentials: entry(401, 'Invalid username or password', '用户名或密码错误'),
  insufficient_balance: entry(402, 'Insufficient balance', '余额不足'),
  account_not_activated: entry(403, 'Account not activated', '账号未激活,请先前往邮箱点击激活链接'),
  account_disabled: entry(403, 'Account disabled', '账号已被禁用'),
  agent_required: entry(403, 'Only an agent may do this', '仅代理商可执行此操作'),
  not_direct_sub_user: entry(403, 'The user is not your direct sub-user', '该用户不是您的直属下级用户'),
  pool_not_public: entry(403, 'This pool is not open to public extraction', '该资源池不开放公共提取'),
  not_permitted: entry(403, 'The role of this person does not include it', '该人员的角色无此权限'),
  scope_missing: entry(403, 'The API key does not have the scope for this', '该 API 密钥没有此操作的权限'),
  address_not_allowed: entry(
    403,
    'The API key does not work from this address',
    '该 API 密钥不能从此 IP 地址使用',
  ),
  route_not_found: entry(404, 'There is no such endpoint', '接口不存在'),
  sub_user_not_found: entry(404, 'Sub-user not found', '下级用户不存在'),
  order_not_found: entry(404, 'Order not found', '订单不存在'),
  product_not_found: entry(404, 'Product not found', '产品不存在'),
  sub_account_not_found: entry(404, 'Sub-account not found', '子账号不存在'),
  join_link_not_found: entry(404, 'Registration link not found', '注册链接不存在'),
  payout_not_found: entry(404, 'Payout not found', '提现申请不存在'),
  promo_code_not_found: entry(404, 'There is no such promotion code', '优惠码不存在'),
  api_key_not_found: entry(404, 'There is no such API key', 'API 密钥不存在'),
  webhook_not_found: entry(404, 'There is no such webhook', 'Webhook 不存在'),
  delivery_not_found: entry(404, 'The webhook has no such delivery', '该 Webhook 没有此推送记录'),
  instance_not_found: entry(404, 'The order has no such proxy instance', '订单中不存在该代理实例'),
  method_not_allowed: entry(405, 'The endpoint does not take this method', '该接口不支持此请求方法'),
  username_taken: entry(409, 'The username is already taken', '用户名已被占用'),
  promo_code_taken: entry(409, 'There is such a promotion code already', '优惠码已存在'),
  promo_code_not_usable: entry(
    409,
    'The promotion code does not hold for this order',
    '优惠码不适用于该订单',
  ),
  balance_below_zero: entry(409, 'The balance must not fall below 0', '余额不能低于 0'),
  out_of_stock: entry(409, 'Not enough proxies in stock', '库存不足'),
  price_changed: entry(409, 'The price is higher than the one sent', '价格高于请求中的价格'),
  traffic_exhausted: entry(409, 'No traffic is left', '流量已用尽'),
  traffic_not_available: entry(409, 'Not enough traffic is left for this', '可用流量不足'),
  order_processing: entry(409, 'The order is still being processed', '订单仍在处理中'),
  top_up_disabled: entry(409, 'Top-ups by USDT are switched off', '未开放 USDT 充值'),
  resale_loop: entry(
    409,
    'The order comes from this service itself, or has come through too many others',
    '该订单来自本服务自身，或经过了过多的中间服务',
  ),
  gateway_taken: entry(409, 'Another gateway is at work', '另一个网关正在工作'),
  usage_out_of_order: entry(409, 'The batch does not follow the last one', '该批次与上一批次不连续'),
  payment_in_progress: entry(409, 'The payment is being confirmed', '付款正在确认中'),
  invalid_state: entry(409, 'The current state does not allow this', '当前状态不允许此操作'),
  idempotency_conflict: entry(
    409,
    'This application order number or idempotency key was used for another request',
    '该应用订单号或幂等键已用于其他请求',
  ),
  payload_too_large: entry(413, 'The request body is larger than 256 KiB', '请求体超过 256 KiB'),
  unsupported_media_type: entry(
    415,
    'The request body must be JSON in UTF-8 (Content-Type: application/json), not compressed',
    '请求体必须是 UTF-8 编码且未压缩的 JSON（Content-Type: application/json）',
  ),
  misdirected_request: entry(
    421,
    'The sandbox does not answer under this host name; set PUBLIC_URL when it is yours',
    '沙盒不接受此主机名的请求；如属于您，请设置 PUBLIC_URL',
  ),
  validation_error: entry(422, 'Some parameters are not valid', '参数校验失败'),
  project_required: entry(422, 'A shared product needs a projectId', '共享产品必须提供 projectId'),
  project_not_allowed: entry(422, 'The product does not have this project', '该产品不支持此项目'),
  location_not_supported_for_product: entry(
    422,
    'The product is not available in this location',
    '该产品不支持所选地区',
  ),
  duration_not_supported: entry(
    422,
    'The duration is not a whole number of billing periods of the product',
    '时长不是该产品计费周期的整数倍',
  ),
  invalid_cidr_blocks: entry(
    422,
    'The CIDR blocks do not suit the product or do not sum to ipCount',
    'CIDR 段不适用于该产品，或数量之和与 ipCount 不一致',
  ),
  assigned_ip_unavailable: entry(422, 'An assigned IP is not available', '指定的 IP 不可用'),
  amount_out_of_range: entry(422, 'The amount is too small or too large', '金额超出允许范围'),
  rate_limited: entry(429, 'Too many requests', '请求过于频繁'),
  too_many_attempts: entry(429, 'Too many failed log-ins, try again later', '登录失败次数过多，请稍后再试'),
  too_many_pending_orders: entry(
    429,
    'Too many top-ups await their payment; pay or cancel one of them',
    '待支付的充值订单过多，请先支付或取消其中一笔',
  ),
  internal_error: entry(500, 'Internal error', '内部错误'),
  supplier_error: entry(502, 'The supplier cannot be reached', '上游供应商暂时不可用'),
  unavailable: entry(503, 'The service is busy, try again in a moment', '服务繁忙，请稍后再试'),
}

/** Returns the path of the page of an error, below a base address (rules 1.21). */
export function errorPageOf(code: ErrorCode): string {
  return `docs/errors/${code}`
}
