import type { Device } from '../../../core/accounts/devices.ts'
import type { LoggedIn } from '../../../core/accounts/chat-log-ins.ts'
import { ACCOUNTS, DEVICES } from '../../actions/accounts.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import { lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { GO_ON } from './other-account.ts'

/** Devices that a screen names; the others are counted. */
const SHOWN = 10

export function accountsScreen(texts: Texts, accounts: readonly LoggedIn[]): Screen {
  const { accounts: words } = texts
  return {
    text: words.list(accounts.length),
    buttons: [
      ...accounts.map(({ id, username, acts }) => [
        choiceButton(username, acts, ACCOUNTS.switch.data({ account: id })),
      ]),
      [{ text: words.buttons.add, data: ACCESS.logIn.data() }],
      [{ text: texts.buttons.logOut, data: ACCESS.logOut.data() }],
      [backButton(texts, SETTINGS.home.data()), homeButton(texts)],
    ],
  }
}

/** Asks whether to switch to the account of a pressed button. */
export function otherAccountsButtonScreen(
  texts: Texts,
  { id, username }: Pick<LoggedIn, 'id' | 'username'>,
): Screen {
  const { accounts: words } = texts
  return {
    text: words.ofOther(username),
    buttons: [
      [{ text: words.buttons.goOn(username), data: GO_ON.data({ account: id }), style: 'primary' }],
      [homeButton(texts)],
    ],
  }
}

/** @param here id of this chat */
export function devicesScreen(texts: Texts, devices: readonly Device[], here: number): Screen {
  const { devices: words } = texts
  const shown = devices.slice(0, SHOWN)
  const nameOf = (device: Device) => device.personName ?? words.chat(device.chatId)
  return {
    text: lines(
      words.title,
      '',
      ...shown.flatMap((device) => [
        words.device(nameOf(device), device.telegramName, device.chatId === here),
        words.times(texts.date(new Date(device.since)), texts.dateTime(new Date(device.usedAt))),
      ]),
      devices.length > shown.length ? words.more(devices.length - shown.length) : undefined,
      '',
      words.hint,
    ),
    buttons: [
      ...shown
        .filter(({ chatId }) => chatId !== here)
        .map((device) => [
          { text: words.buttons.logOut(nameOf(device)), data: DEVICES.logOut.data({ chat: device.chatId }) },
        ]),
      [{ text: words.buttons.others, data: DEVICES.others.data() }],
      [backButton(texts, SETTINGS.home.data()), homeButton(texts)],
    ],
  }
}

export function otherDevicesScreen(texts: Texts, username: string): Screen {
  const { devices: words } = texts
  return {
    text: words.askOthers(username),
    buttons: [
      [{ text: words.buttons.othersConfirmed, data: DEVICES.othersConfirmed.data(), style: 'danger' }],
      [backButton(texts, DEVICES.list.data()), homeButton(texts)],
    ],
  }
}
