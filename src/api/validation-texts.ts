import type { z } from 'zod'
import type { InputIssue } from '../core/errors.ts'
import type { Language, Texts } from './language.ts'

/** One entry of `data.errors` of a `validation_error` (rules 1.4). */
export interface FieldError {
  /** Path of the field, such as `cidrBlocks.0.count`. */
  readonly field: string
  /** Stable name of the rule that is broken. */
  readonly rule: string
  /** What is wrong, in the caller's language. */
  readonly message: string
}

/** Rules of our own, by the name that schemas and use cases give as the message of an issue. */
const RULES: Readonly<Record<string, Texts>> = {
  required: { en: 'is required', zh: '为必填项' },
  unknown_parameter: { en: 'is no parameter of this endpoint', zh: '不是该接口的参数' },
  mixed_scripts: { en: 'must not mix alphabets', zh: '不能混用不同的文字' },
  not_an_amount: {
    en: 'must be an amount with at most 6 decimals and not above 1,000,000,000',
    zh: '必须是金额：最多 6 位小数，且不超过 1,000,000,000',
  },
  not_a_usdt_amount: {
    en: 'must be USDT in digits with at most 2 decimals, such as "100" or "99.50"',
    zh: '必须是 USDT 金额：最多 2 位小数，例如 "100" 或 "99.50"',
  },
  not_a_txid: {
    en: 'must be a transaction id of 64 hexadecimal digits, or ID:INDEX',
    zh: '必须是 64 位十六进制交易哈希，或 哈希:序号',
  },
  not_for_this_top_up: {
    en: 'is no transfer that can be the payment for this top-up',
    zh: '不是可作为该充值单付款的转账',
  },
  either_markup_or_price: {
    en: 'goes without markup_percent: set one of them',
    zh: '不能与 markup_percent 同时设置',
  },
  markup_of_any_quantity: {
    en: 'goes with price only: a markup holds for any quantity',
    zh: '只能与 price 同时使用：加价比例适用于任意数量',
  },
  above_price_limit: {
    en: 'is above what the shop allows agents: at most {most}',
    zh: '超出本店允许代理商的上限：最多 {most}',
  },
  no_such_price: { en: 'is not set', zh: '未设置' },
  less_than_payout_min: { en: 'is less than the least amount of a payout', zh: '低于最低提现金额' },
  not_a_tron_address: {
    en: 'must be an address on TRON to which USDT can be sent: T and 33 more characters',
    zh: '必须是可接收 USDT 的 TRON 地址：T 加 33 个字符',
  },
  less_than_trial: { en: 'must not be less than trial', zh: '不能少于 trial' },
  not_a_promo_code: {
    en: 'must be 3-32 letters, digits, _ or -, and begin with a letter or digit',
    zh: '必须是 3-32 个字母、数字、_ 或 -，且以字母或数字开头',
  },
  either_days_or_until: { en: 'goes without days: set one of them', zh: '不能与 days 同时设置' },
  not_in_the_next_ten_years: { en: 'must be a moment of the next ten years', zh: '必须是未来十年内的时间' },
  either_percent_or_amount: {
    en: 'and amount: exactly one of both must be given',
    zh: '与 amount 必须且只能提供一个',
  },
  balance_too_large: { en: 'would make the balance larger than any balance can be', zh: '将使余额超出上限' },
  amount_too_large: { en: 'leads to an amount that is too large', zh: '导致金额过大' },
  not_a_webhook_url: {
    en: 'must be an https address without username and #',
    zh: '必须是 https 地址，不含用户名和 #',
  },
  webhook_not_encrypted: { en: 'must begin with https://', zh: '必须以 https:// 开头' },
  webhook_not_public: { en: 'must be an address of the public internet', zh: '必须是公网地址' },
  webhook_port_closed: {
    en: 'must have the port 443, or one from 1024 on',
    zh: '端口必须是 443，或不小于 1024',
  },
  no_event_chosen: { en: 'must name at least one event', zh: '至少选择一项事件' },
  too_many_webhooks: { en: 'would be more than 10 webhooks', zh: '超过 10 个 Webhook' },
  not_an_ip_address: { en: 'must be an IP address', zh: '必须是 IP 地址' },
  more_than_ip_count: { en: 'names more addresses than ipCount', zh: '指定的 IP 数量超过 ipCount' },
  not_an_address_range: {
    en: 'must be an IP address, or a range in CIDR notation',
    zh: '必须是 IP 地址或 CIDR 网段',
  },
  address_range_too_wide: {
    en: 'must not be wider than /24 (IPv4) or /48 (IPv6)',
    zh: '范围不能大于 /24（IPv4）或 /48（IPv6）',
  },
  not_of_a_client: {
    en: 'must be a public address',
    zh: '必须是公网地址',
  },
  address_of_another_account: { en: 'is used by another account', zh: '已被其他账号使用' },
  not_a_session: { en: 'must be 6-16 letters and digits', zh: '必须是 6-16 个字母或数字' },
  not_a_date: { en: 'must be a date YYYY-MM-DD', zh: '必须是日期 YYYY-MM-DD' },
  not_a_time: {
    en: 'must be a time such as 2026-11-20T17:57:00Z',
    zh: '必须是时间，例如 2026-11-20T17:57:00Z',
  },
  ends_before_it_starts: { en: 'must not be before the start of the range', zh: '不能早于起始日期' },
  too_many_keys: { en: 'must not be more than 50 keys that work', zh: '有效密钥最多 50 个' },
  too_many_lines: { en: 'must have at most 200 lines', zh: '最多 200 行' },
  different_terms: {
    en: 'must have the same term for all proxies of this product',
    zh: '该产品的所有代理必须使用相同的续费时长',
  },
  different_orders: {
    en: 'come from different orders of the supplier, which are renewed one after the other',
    zh: '来自供应商的不同订单，需分次续费',
  },
  several_users: { en: 'must belong to one user', zh: '必须属于同一个用户' },
  too_many_orders: { en: 'must come from at most 100 orders', zh: '最多来自 100 个订单' },
  named_twice: { en: 'must not name anything twice', zh: '不能重复' },
  not_an_id: { en: 'must be an id: digits only', zh: '必须是仅由数字组成的 ID' },
  not_a_whole_number: { en: 'must be a whole number in digits', zh: '必须是由数字组成的整数' },
  not_a_boolean: { en: 'must be true or false', zh: '必须是 true 或 false' },
  not_a_country_code: {
    en: 'must be an ISO 3166 two-letter country code',
    zh: '必须是 ISO 3166 两位国家代码',
  },
  not_a_traffic_amount: {
    en: 'must be GB with at most 3 decimals, more than 0 and not above 10,000',
    zh: '必须是流量（GB）：最多 3 位小数，大于 0 且不超过 10,000',
  },
  not_a_city: { en: 'must be a city code or an English city name', zh: '必须是城市代码或英文城市名' },
  not_offered: { en: 'is not offered by this product', zh: '该产品不提供' },
  city_not_in_country: { en: 'is not in the country countryCode', zh: '不在 countryCode 指定的国家' },
  not_a_line_format: {
    en: 'must contain host, port, username and password, without spaces and with at most 100 characters',
    zh: '必须包含 host、port、username 和 password，不含空格，且不超过 100 个字符',
  },
  not_a_traffic_move: {
    en: 'must be GB with at most 3 decimals, not 0, from -10,000 to 10,000',
    zh: '必须是流量（GB）：最多 3 位小数，不为 0，介于 -10,000 与 10,000 之间',
  },
  letters_digits_underscore: {
    en: 'must be 3-32 letters, digits and underscores',
    zh: '必须是 3-32 个字母、数字或下划线',
  },
  reserved_name: { en: 'is like the names that the service makes', zh: '与系统生成的名称冲突' },
  not_a_gateway_password: {
    en: 'must be 6-50 letters, digits and the characters . _ ~ -',
    zh: '必须是 6-50 个字母、数字或字符 . _ ~ -',
  },
  too_much_traffic: {
    en: 'leads to more traffic than an account can hold',
    zh: '将超过账号可持有的流量上限',
  },
  invisible_characters: {
    en: 'must not contain spaces or invisible characters',
    zh: '不能包含空格或不可见字符',
  },
  not_an_email_address: { en: 'must be an e-mail address', zh: '必须是邮箱地址' },
  not_a_phone_number: { en: 'must be a mobile number of 11 digits', zh: '必须是 11 位手机号' },
  username_or_password_required: {
    en: 'must have a username or a password',
    zh: '必须提供 username 或 password',
  },
  letters_digits_underscore_hyphen: {
    en: 'may contain letters, digits, underscore and hyphen only',
    zh: '只能包含字母、数字、下划线和连字符',
  },
}

const TYPES: Readonly<Record<string, Texts>> = {
  string: { en: 'a string', zh: '字符串' },
  number: { en: 'a number', zh: '数字' },
  int: { en: 'a whole number', zh: '整数' },
  boolean: { en: 'true or false', zh: 'true 或 false' },
  array: { en: 'an array', zh: '数组' },
  object: { en: 'an object', zh: '对象' },
}

/** Words an issue in the caller's language. The value itself is never repeated: it may be a password. */
export function wordIssue(issue: InputIssue, language: Language): FieldError {
  const field = issue.path.join('.') || 'body'
  // Schemas name rules of their own in the message; zod's own messages are sentences.
  if (/^[a-z]+(_[a-z0-9]+)*$/.test(issue.message)) {
    const rule = issue.message
    const fallback = { en: `breaks the rule ${rule}`, zh: `不符合规则 ${rule}` }
    const text = (RULES[rule] ?? fallback)[language]
    const most = issue.code === 'too_big' ? String(issue.maximum) : ''
    return { field, rule, message: text.replace('{most}', most) }
  }
  return { field, rule: issue.code ?? 'custom', message: describe(issue)[language] }
}

function describe(issue: InputIssue): Texts {
  switch (issue.code) {
    case 'invalid_type': {
      const type = TYPES[issue.expected]
      return type ? { en: `must be ${type.en}`, zh: `必须是${type.zh}` } : UNKNOWN
    }
    case 'too_small': {
      if (issue.origin === 'string' && issue.minimum === 1) return { en: 'must not be empty', zh: '不能为空' }
      const limit = String(issue.minimum)
      return limitText(issue, { en: `at least ${limit}`, zh: `不少于 ${limit}` })
    }
    case 'too_big': {
      const limit = String(issue.maximum)
      return limitText(issue, { en: `at most ${limit}`, zh: `不超过 ${limit}` })
    }
    case 'invalid_value': {
      const values = issue.values.map(String).join(', ')
      return { en: `must be one of: ${values}`, zh: `必须是以下之一：${values}` }
    }
    case 'invalid_union':
      return { en: 'has the wrong type or an unknown value', zh: '类型错误或值不受支持' }
    default:
      return UNKNOWN
  }
}

function limitText(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, limit: Texts): Texts {
  switch (issue.origin) {
    case 'string':
      return { en: `must have ${limit.en} characters`, zh: `长度必须${limit.zh} 个字符` }
    case 'array':
      return { en: `must have ${limit.en} items`, zh: `数量必须${limit.zh} 项` }
    default:
      return { en: `must be ${limit.en}`, zh: `必须${limit.zh}` }
  }
}

const UNKNOWN: Texts = { en: 'is not valid', zh: '无效' }
