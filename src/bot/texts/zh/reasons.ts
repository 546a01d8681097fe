import { type ReasonWords, translatedReason } from '../reasons.ts'

const REASONS: ReasonWords = {
  secretSize: 'Secret 的长度为 $1 字节，应为 $2 字节',
  keyEmpty: 'Key 为空',
  notDecrypted: '数据无法解密，请检查 Secret 是否正确',
  accountDisabled: '该账号已被供应商停用',
  notEncrypted: '网址须以 https 开头（本机和内网可用 http），且不含用户名、? 和 #',
  keyIsUsername: 'Key 应填用户名，Secret 应填密码',
  noLogIn: '该地址没有登录接口（HTTP $1），请检查网址',
  logInTimeout: '登录请求未得到及时回复',
  noConnection: '无法连接：$1',
  brokenAnswer: '$1 的回复不完整：$2',
  timeout: '未在限定时间内得到完整回复',
  tooLarge: '回复的数据过大',
  httpStatus: '接口返回 HTTP $1',
  unreadable: '回复的数据格式不正确',
  otherOrder: '回复的是另一笔订单',
}

/** A reason in Chinese; where only English is known, it is marked as a detail for technicians. */
export function reasonInChinese(reason: string): string {
  return (
    translatedReason(REASONS, reason) ?? (/\p{Script=Han}/u.test(reason) ? reason : `技术信息：${reason}`)
  )
}
