import { type ReasonWords, translatedReason } from '../reasons.ts'

const REASONS: ReasonWords = {
  secretSize: 'секрет длиной $1 байт вместо $2',
  keyEmpty: 'ключ пуст',
  notDecrypted: 'данные не расшифровываются: верен ли секрет?',
  accountDisabled: 'поставщик отключил этот аккаунт',
  notEncrypted:
    'адрес должен начинаться с https (http — только для этой машины и внутренних сетей), без логина, ? и #',
  keyIsUsername: 'ключ — это логин, секрет — пароль',
  noLogIn: 'по этому адресу нет входа (HTTP $1): проверьте адрес',
  logInTimeout: 'на запрос входа не ответили вовремя',
  noConnection: 'нет соединения: $1',
  brokenAnswer: 'ответ $1 оборвался: $2',
  timeout: 'полный ответ не пришёл вовремя',
  tooLarge: 'ответ слишком большой',
  httpStatus: 'ответ HTTP $1',
  unreadable: 'ответ не удалось прочитать',
  otherOrder: 'ответ относится к другому заказу',
}

/** A reason in Russian; what is known in English only is quoted. */
export function reasonInRussian(reason: string): string {
  return translatedReason(REASONS, reason) ?? (/\p{Script=Cyrillic}/u.test(reason) ? reason : `«${reason}»`)
}
