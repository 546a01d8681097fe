/** tsx .ci/telegram.ts PORT TOKEN: a Telegram of this machine, without people. */
import Fastify from 'fastify'
import { createTelegramEmulator } from '../src/emulators/telegram/telegram-emulator.ts'

const [, , port, token = ''] = process.argv
const server = Fastify({ forceCloseConnections: true })
await server.register(createTelegramEmulator({ token, botUsername: 'new_shop_bot' }).botApi, {
  prefix: '/telegram',
})
await server.listen({ host: '127.0.0.1', port: Number(port) })
