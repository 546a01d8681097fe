import { html, lines } from '../html.ts'
import type * as en from '../en/top-ups.ts'

export const topUps: typeof en.topUps = {
  title: html`<b>Пополнение в USDT</b>`,
  off: html`<b>Пополнение в USDT</b>\n\nСейчас магазин не принимает USDT. Попросите пополнить баланс того, кто выдал вам доступ.`,
  choose: (network, rate, min, max) =>
    lines(
      html`Сеть: <b>${network}</b>`,
      html`1 USDT = ${rate}`,
      '',
      html`Сколько? Нажмите или напишите сумму от ${min} до ${max} USDT.`,
    ),
  requested: (agent, missing) =>
    lines(
      html`🙋 <b>${agent === undefined ? 'Магазин получил' : `Ваш агент ${agent} получил`} вашу просьбу о ${missing}</b>`,
      '',
      html`Как только деньги придут, здесь появится кнопка, чтобы продолжить.`,
    ),
  askedInVain: (agent) =>
    html`✖️ <b>${agent === undefined ? 'Магазин' : `Агент ${agent}`}</b> недавно отказал. Попросить снова можно через 15 минут.`,
  askYourself: (agent, missing) =>
    agent === undefined
      ? html`🙋 Вам нужно <b>${missing}</b>. Напишите сами тому, кто выдал вам доступ: отсюда мне с магазином не связаться.`
      : html`🙋 Вам нужно <b>${missing}</b>. Напишите сами вашему агенту <b>${agent}</b>: отсюда мне с ним не связаться.`,
  arrived: html`💰 <b>Деньги пришли</b>`,
  enough: html`Этого хватает: можно продолжать.`,
  stillShort: (missing) => html`⚠️ Ещё не хватает <b>${missing}</b>.`,
  missing: (amount) => html`Вам не хватает <b>${amount}</b>. Первая кнопка покрывает эту сумму.`,
  notAnAmount: (text) =>
    `«${text}» — не сумма в USDT. Напишите, например, 25 или 99.50, не больше двух знаков после точки.`,
  outOfRange: (min, max) => `Сумма должна быть от ${min} до ${max} USDT.`,
  tooMany: (minutes) =>
    `У вас уже несколько неоплаченных пополнений. Оплатите или отмените одно из них либо подождите ${minutes} мин.`,
  noAmountLeft: 'Рядом с этой суммой сейчас нет свободной суммы платежа. Выберите другую.',
  pay: ({ network, payAmount, address, credit }) =>
    lines(
      html`Отправьте <b>ровно <code>${payAmount}</code> USDT</b>`,
      html`в сети <b>${network.full}</b>`,
      html`на адрес <code>${address}</code>`,
      '',
      html`⚠️ Только USDT в сети <b>${network.short}</b>: всё остальное пропадёт. <b>Прийти</b> должна ровно эта сумма: если биржа берёт комиссию, добавьте её сверху. По последним знакам мы узнаём ваш платёж.`,
      '',
      html`На баланс придёт <b>${credit}</b>.`,
    ),
  validUntil: (time, minutes) => html`Оплатите до ${time} (осталось ${minutes} мин).`,
  status: {
    pending: html`⏳ <b>Ждём ваш платёж</b>`,
    confirming: html`🔎 <b>Платёж виден, подтверждается</b>`,
    paid: html`✅ <b>Оплачено</b>`,
    expired: html`⌛ <b>Истекло</b>`,
    cancelled: html`🚫 <b>Отменено</b>`,
  },
  icon: { pending: '⏳', confirming: '🔎', paid: '✅', expired: '⌛', cancelled: '🚫' },
  confirmations: (count, required) =>
    html`Подтверждений: ${count} из ${required}. Это займёт около минуты, делать ничего не нужно.`,
  number: (orderNo) => html`Пополнение <code>${orderNo}</code>`,
  asked: (payAmount) => html`Сумма: <b>${payAmount} USDT</b>`,
  received: (paid, credit) => html`Получено: <b>${paid} USDT</b>, зачислено: <b>${credit}</b>`,
  paidAt: (time) => html`Время зачисления: ${time}`,
  late: html`Платёж пришёл, когда пополнение уже закрылось, но всё равно зачислен.`,
  transaction: (txid) => html`Транзакция: <code>${txid}</code>`,
  balance: (balance) => html`Ваш баланс: <b>${balance}</b>`,
  stillTaken: (time) =>
    html`Уже заплатили? Точная сумма зачислится сама, если попадёт в блокчейн до ${time}. Если нет, это пополнение больше не оплачивайте.`,
  stale: html`Сейчас не удаётся прочитать блокчейн. Ничего не потеряно: пробую дальше.`,
  checked: 'Пока ничего не пришло.',
  offer: {
    arrived: ({ amount, from, time, asked }) =>
      lines(
        html`💸 <b>Пришло ${amount} USDT</b>, а ожидалось ${asked}.`,
        html`От <code>${from}</code>`,
        html`Время: ${time}`,
        html`<b>Это ваш платёж?</b> Если да, нажмите кнопку.`,
      ),
    claimed: ({ amount, from, time, asked }) =>
      lines(
        html`🙋 <b>Вы отметили платёж ${amount} USDT как свой</b>, ожидалось ${asked}.`,
        html`От <code>${from}</code>`,
        html`Время: ${time}`,
        html`Магазин проверит; когда деньги зачислят, вы получите сообщение.`,
      ),
    refused: html`✖️ Магазин решил, что платёж, который вы отметили, к этому пополнению не относится.`,
    gone: 'С этим платежом уже разобрались.',
  },
  payment: {
    undecided: html`💸 <b>Платёж пришёл</b>, но не подходит ни к одному вашему пополнению. Если он ваш, напишите в поддержку: магазин ещё может его зачислить.`,
    settled: html`<b>С этим платежом уже разобрались</b>, к вашим пополнениям он не относится. Если это ошибка, напишите в поддержку.`,
    unconfirmed: html`🔎 <b>Платёж в пути</b>: сеть его ещё подтверждает. Это займёт около минуты. Потом пришлите хеш транзакции ещё раз.`,
    failed: ({ coin }) =>
      html`✖️ <b>Эта транзакция не перевела USDT</b>: она не прошла или отправила ${coin}. Что стало с деньгами, видно в вашем кошельке.`,
    other_token: ({ short }) =>
      html`✖️ <b>Эта транзакция перевела не USDT (${short})</b>, а другой токен. Зачислить его не могу; напишите в поддержку.`,
    other_address: html`✖️ <b>Платёж ушёл на другой адрес</b>, не на тот, что я вам дал. Зачислить его не могу.`,
    too_old: html`<b>Этот платёж слишком старый</b>: тогда магазин ещё не принимал здесь USDT. Напишите в поддержку.`,
    unknown: ({ chain, full }) =>
      html`❓ <b>В сети ${chain} такой транзакции нет</b>. Проверьте, что хеш скопирован целиком и что платили в ${full}. Если заплатили только что, попробуйте через минуту.`,
    unread: html`Сейчас не удаётся прочитать блокчейн. Ничего не потеряно: попробуйте через минуту.`,
    too_often: html`Я только что проверил для вас несколько транзакций. Попробуйте через минуту.`,
  },
  cancel: (payAmount) =>
    html`Отменить пополнение на <b>${payAmount} USDT</b>?\n\nЕсли деньги уже отправлены, не отменяйте: они в пути.`,
  inProgress: 'Ваш платёж уже виден и подтверждается: отменить нельзя.',
  notOpen: 'Это пополнение уже закрыто.',
  history: (total) => html`<b>Пополнения</b>: ${total}`,
  empty: html`<b>Пополнения</b>\n\nПока ни одного.`,
  entry: (icon, payAmount, date) => `${icon} ${payAmount} USDT · ${date}`,
  buttons: {
    topUp: (amount) => `➕ Пополнить на ${amount} USDT`,
    amount: (amount) => `${amount} USDT`,
    history: '🧾 Мои пополнения',
    explorer: '🔗 В обозревателе',
    copyAmount: '📋 Сумма',
    copyAddress: '📋 Адрес',
    check: '🔄 Проверить',
    claim: (amount) => `✅ Мой платёж: ${amount} USDT`,
    open: '🧾 Пополнение',
    cancel: 'Отменить',
    cancelNow: 'Да, отменить',
    keep: 'Нет, оставить',
    resume: '🛒 Продолжить покупку',
    again: '➕ Новое пополнение',
  },
}
