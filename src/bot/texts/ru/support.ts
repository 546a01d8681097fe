import { html } from '../html.ts'
import type * as en from '../en/support.ts'

export const support: typeof en.support = {
  button: '💬 Поддержка',
  contact: html`<b>Поддержка</b>\n\nНажмите кнопку, чтобы написать нам.`,
  nobody: html`<b>Поддержка</b>\n\nНапишите тому, кто выдал вам доступ.`,
  list: (open) =>
    open === 0
      ? html`<b>Поддержка</b>\n\nНа все обращения ответили.`
      : html`<b>Поддержка</b>\n\nЖдут ответа: <b>${open}</b>`,
  empty: html`<b>Поддержка</b>\n\nСпрашивайте о чём угодно: ответим здесь, в чате.`,
  none: html`<b>Обращения</b>\n\nПока никто ни о чём не спросил.`,
  entry: (icon, what, who) => `${icon} ${[what, who].filter(Boolean).join(' · ')}`,
  icon: { open: '🟠', waiting: '🔵', closed: '✔️' },
  status: {
    open: '🟠 Ждёт ответа поддержки',
    waiting: '🔵 Есть ответ',
    closed: '✔️ Закрыто',
  },
  topic: {
    order: (number) => `заказ ${number}`,
    proxy: (number) => `прокси ${number}`,
    traffic: (number) => `трафик ${number}`,
    top_up: (number) => `пополнение ${number}`,
    money: (sum) => `не хватает ${sum}`,
  },
  general: 'вопрос',
  title: (username) => html`🎫 <b>${username}</b>`,
  about: (topic) => html`Тема: ${topic}`,
  state: (status) => html`Статус: ${status}`,
  earlier: (count) => html`<i>… и ещё ${count} раньше</i>`,
  who: { you: 'Вы', support: 'Поддержка', agent: 'Агент', shop: 'Магазин' },
  message: (who, time, text) => html`<b>${who}</b> <i>${time}</i>\n${text}`,
  file: { photo: '🖼 картинка', document: '📎 файл' },
  hint: html`<i>Пишите прямо сюда или пришлите картинку или файл.</i>`,
  ask: html`<b>Поддержка</b>\n\nЧто случилось? Опишите одним сообщением; можно прислать картинку или файл. Пароль мы никогда не спрашиваем.`,
  askAbout: (topic) =>
    html`<b>Поддержка</b>\n\nТема: ${topic}\n\nЧто не так? Опишите одним сообщением; можно прислать картинку или файл. Пароль мы никогда не спрашиваем.`,
  answer: (username) => html`Ваш ответ для <b>${username}</b>:`,
  question: (username) => html`🎫 <b>Вопрос от ${username}</b>`,
  answered: html`💬 <b>Поддержка ответила</b>`,
  closed: html`✔️ <b>Поддержка закрыла обращение</b>\nЕсли вопрос остался, напишите снова.`,
  sent: '✅ Отправлено.',
  replyHint: html`<i>Чтобы ответить клиенту, ответьте на это сообщение.</i>`,
  buttons: {
    ask: '✍️ Задать вопрос',
    write: '✍️ Написать',
    answer: '✍️ Ответить',
    open: '🎫 Обращение',
    close: '✔️ Закрыть',
    matter: { order: '📦 Заказ', traffic: '📶 Трафик', proxy: '🌐 Прокси', top_up: '💳 Пополнение' },
    subUser: '👤 Субпользователь',
    passOn: '➡️ Передать магазину',
    takes: (on) => (on ? '🔔 Им отвечаю я' : '🔕 Им отвечает магазин'),
    tickets: (open) => (open === 0 ? '🎫 Обращения' : `🎫 Обращения: ${open}`),
  },
}
