import type { Digest } from '../../core/notices/messenger.ts'
import { addressOf } from '../../core/proxy-formats.ts'
import { translationIn } from '../../core/translations.ts'
import { USERS } from '../actions/users.ts'
import { amount, balanceText, signed, usdt } from '../kit/format.ts'
import { gigabytes } from '../kit/traffic-text.ts'
import { type Message, noticeMessage } from '../kit/message.ts'
import { type Html, lines } from '../texts/html.ts'
import { textsOf } from '../texts/index.ts'

/** Most lines of a digest: nobody would read more, and the screen behind the button has all of it. */
const MOST_LINES = 10
/** Most characters of the lines, of the 4096 of a message (Bot API). */
const MOST_CHARACTERS = 3500

/** What an agent is told about its sub-users: a heading, and a line for each thing. */
export function digestMessage(currency: string, digest: Digest): Message {
  const texts = textsOf(digest)
  const { digest: words, buttons } = texts.notices
  const users = new Map(digest.items.map(({ about }) => [about.id, about]))
  const [user, ...others] = users.values()
  const all = detailsOf(digest, currency).map(([username, detail]) => words.line(username, detail))
  const shown = fitting(all)
  const text = lines(
    words.heading(words.title[digest.kind], digest.items.length),
    '',
    ...shown,
    all.length > shown.length ? words.more(all.length - shown.length) : undefined,
  )
  return noticeMessage(
    texts,
    text,
    user && others.length === 0
      ? { text: buttons.user(user.username), data: USERS.view.data({ id: user.id }) }
      : { text: buttons.users, data: USERS.list.data() },
  )
}

/** Returns the first lines, as many as a message takes. */
function fitting(all: readonly Html[]): readonly Html[] {
  let characters = 0
  const tooMany = all.findIndex(
    (line, index) => (characters += line.length + 1) > MOST_CHARACTERS || index === MOST_LINES,
  )
  return tooMany === -1 ? all : all.slice(0, tooMany)
}

/** Username and what happened, for each line. */
function detailsOf(digest: Digest, currency: string): (readonly [username: string, detail: string])[] {
  const texts = textsOf(digest)
  const { digest: words } = texts.notices
  const show = (micros: number) => amount(micros, currency)
  switch (digest.kind) {
    case 'order_ready':
    case 'order_partial':
      return digest.items.map(({ subject, about, facts: { delivered, ordered } }) => [
        about.username,
        delivered === ordered ? words.proxies(ordered, subject) : words.partly(delivered, ordered, subject),
      ])
    case 'order_failed':
      return digest.items.map(({ subject, about, facts }) => [
        about.username,
        words.refunded(show(facts.refund), subject),
      ])
    case 'renewal_done':
    case 'expired':
      return digest.items.map(({ about, facts }) => [
        about.username,
        words.proxies(facts.count, facts.orderNo),
      ])
    case 'renewal_failed':
    case 'expiring_72h':
    case 'expiring_24h':
      return digest.items.map(({ about, facts: { count, orderNo, shortfall } }) => [
        about.username,
        [
          words.proxies(count, orderNo),
          ...(shortfall === undefined ? [] : [words.shortBy(show(shortfall))]),
        ].join(' · '),
      ])
    case 'credentials_changed':
      return digest.items.map(({ about, facts }) => [about.username, words.proxies(1, facts.orderNo)])
    case 'proxy_dead':
      return digest.items.map(({ about, facts: { ip, port, orderNo } }) => [
        about.username,
        words.proxy(addressOf({ ip, port }), orderNo),
      ])
    case 'replacement_ended':
      return digest.items.map(({ about, facts: { oldIp, oldPort, newIp, newPort, orderNo } }) => [
        about.username,
        words.proxy(
          [
            addressOf({ ip: oldIp, port: oldPort }),
            newIp === null ? '✖️' : addressOf({ ip: newIp, port: newPort ?? 0 }),
          ].join(' → '),
          orderNo,
        ),
      ])
    case 'traffic_80':
    case 'traffic_100':
      return digest.items.map(({ about, facts }) => [
        about.username,
        words.traffic(
          translationIn(facts.names, digest.language),
          gigabytes(facts.used, texts),
          gigabytes(facts.total, texts),
        ),
      ])
    case 'low_balance':
      return digest.items.map(({ about, facts }) => [
        about.username,
        words.needs(balanceText(facts.balance, currency), show(facts.needed)),
      ])
    case 'balance_adjusted':
      return digest.items.map(({ about, facts }) => [
        about.username,
        words.adjusted(signed(facts.amount, currency), balanceText(facts.balance, currency)),
      ])
    case 'sub_user_joined':
      return digest.items.map(({ about, facts: { trial, missing } }) => [
        about.username,
        words.joined(trial > 0 ? show(trial) : undefined, missing > 0 ? show(missing) : undefined),
      ])
    case 'top_up_paid':
    case 'top_up_late':
      return digest.items.map(({ about, facts }) => [
        about.username,
        `${usdt(facts.payUnits)} USDT → ${show(facts.credited)}`,
      ])
    case 'top_up_expired':
      return digest.items.map(({ subject, about }) => [about.username, words.topUp(subject)])
  }
}
