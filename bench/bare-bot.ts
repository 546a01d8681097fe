/**
 * The floor of the bot benchmark: a grammY bot as its documentation begins one. It knows nobody and keeps nothing; to each press
 * it sends as much as the product does, a screen of the usual size and an answer.
 */
import { Bot, InlineKeyboard } from 'grammy'

const { BOT_TOKEN = '', TELEGRAM_API_ROOT = '' } = process.env
const BUTTONS = ['buy', 'px', 'oproxy:1:0', 'order:1', 'b:1:count:5', 'b:1:count:10', 'b:1:auto:1', 'home']

const bot = new Bot(BOT_TOKEN, { client: { apiRoot: TELEGRAM_API_ROOT } })
let screens = 0

function screen() {
  screens += 1
  const keyboard = new InlineKeyboard()
  for (const data of BUTTONS) keyboard.text(`Residential ISP · ${data}`, data).row()
  const text = `<b>Screen ${screens}</b>\n\n${'A line as long as those of the product are.\n'.repeat(5)}`
  return [text, { parse_mode: 'HTML', reply_markup: keyboard }] as const
}

bot.on('message', (ctx) => ctx.reply(...screen()))
bot.on('callback_query:data', async (ctx) => {
  await ctx.editMessageText(...screen())
  await ctx.answerCallbackQuery()
})

process.on('SIGTERM', () => void bot.stop())
// `contender.ts` waits for an address.
await bot.start({ onStart: () => console.log(TELEGRAM_API_ROOT) })
