/** What the drivers of suppliers and the reader of the chain say, and how it is said in Chinese; `$1` is what stands in brackets. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^the secret has (\d+) bytes instead of (\d+)$/, 'Secret 的长度为 $1 字节，应为 $2 字节'],
  [/^the key is empty$/, 'Key 为空'],
  [/^\w+: the data cannot be decrypted; is the secret right\?$/, '数据无法解密，请检查 Secret 是否正确'],
  [/^\w+: the account is disabled$/, '该账号已被供应商停用'],
  [
    /^the address of the supplier must be https/,
    '网址须以 https 开头（本机和内网可用 http），且不含用户名、? 和 #',
  ],
  [/^The key is the username, the secret the password$/, 'Key 应填用户名，Secret 应填密码'],
  [/^There is no log-in at this address: HTTP (\d+)$/, '该地址没有登录接口（HTTP $1），请检查网址'],
  [/^The log-in was not answered in time$/, '登录请求未得到及时回复'],
  [/^(?:no answer|No connection to \S+): (.+)$/, '无法连接：$1'],
  [/^No whole answer from (\S+): (.+)$/, '$1 的回复不完整：$2'],
  [/^(?:no whole answer in time|given up before the request)$/, '未在限定时间内得到完整回复'],
  [/^the answer is too large$/, '回复的数据过大'],
  [/^\w+: HTTP (\d+)$/, '接口返回 HTTP $1'],
  [/cannot be read$|has not the expected shape/, '回复的数据格式不正确'],
  [/the answer is about another order$/, '回复的是另一笔订单'],
]

/** A reason in Chinese; where only English is known, it is marked as a detail for technicians. */
export function reasonInChinese(reason: string): string {
  const [known, words = ''] = REASONS.find(([text]) => text.test(reason)) ?? []
  if (known) return known.exec(reason)?.[0] === reason ? reason.replace(known, words) : words
  return /\p{Script=Han}/u.test(reason) ? reason : `技术信息：${reason}`
}
