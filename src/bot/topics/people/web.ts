import type { WebLogIn } from '../../../core/people/web-log-ins.ts'
import { operatorButton } from '../../actions/operator.ts'
import { PEOPLE } from '../../actions/people.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { lines } from '../../texts/html.ts'

/** Log-ins outside of Telegram (rules 14.11); in a group everybody would see the link. */
export function webLogInsFeature(): Feature {
  const feature = new Feature((ctx) => isOperatorChat(ctx) && ctx.chat?.type === 'private')
  feature.on(PEOPLE.web, async (ctx) => {
    const { offer, list } = ctx.core.operator.webLogIns
    const { code, expiresAt } = await offer(by(ctx))
    const url = `${ctx.publicUrl ?? ctx.localUrl ?? ''}/operator/api/log-in?code=${code}`
    return ctx.show(webScreen(ctx, { url, expiresAt }, await list(ctx.chat.id)))
  })
  feature.on(PEOPLE.endWeb, async (ctx) => {
    const ended = await ctx.core.operator.webLogIns.end(by(ctx))
    await ctx.notify(ctx.texts.people.web.ended(ended))
    return ctx.show(webScreen(ctx, undefined, []))
  })
  return feature
}

interface Link {
  readonly url: string
  readonly expiresAt: Date
}

/** @param link a new one: shown this one time */
function webScreen(
  { texts, publicUrl }: BotContext,
  link: Link | undefined,
  logIns: readonly WebLogIn[],
): Screen {
  const { web } = texts.people
  const opened = logIns.map(({ program, openedAt, expiresAt }) =>
    web.logIn(program || '?', texts.dateTime(new Date(openedAt)), texts.dateTime(new Date(expiresAt))),
  )
  return {
    text: lines(
      web.title,
      ...(link ? ['' as const, web.made(link.url, texts.dateTime(link.expiresAt))] : []),
      '',
      ...(opened.length === 0 ? [web.none] : opened),
    ),
    buttons: [
      link && publicUrl !== undefined ? [{ text: web.open, url: link.url }] : [],
      link ? [{ text: web.copy, copy: link.url }] : [{ text: web.another, data: PEOPLE.web.data() }],
      opened.length === 0 ? [] : [{ text: web.end, data: PEOPLE.endWeb.data(), style: 'danger' }],
      [operatorButton(texts)],
    ],
  }
}
