import { html } from '../html.ts'
import type * as en from '../en/receipts.ts'

export const receipts: typeof en.receipts = {
  button: '🧾 Квитанция',
  title: 'Квитанция',
  coming: 'Готовлю квитанцию.',
  notPaid: 'Квитанция появится, как только платёж зачислят.',
  caption: (number) => html`🧾 Квитанция <code>${number}</code>`,
  rows: {
    order: 'Заказ',
    topUp: 'Пополнение',
    date: 'Дата',
    customer: 'Клиент',
    product: 'Товар',
    place: 'Локация',
    proxies: 'Прокси',
    term: 'Срок',
    traffic: 'Трафик',
    price: 'Цена',
    discount: (code) => (code === '' ? 'Скидка' : `Скидка (${code})`),
    renewals: 'Продления',
    refunded: 'Возвращено',
    total: 'Оплачено всего',
    network: 'Сеть',
    received: 'Получено',
    rate: 'Курс',
    wallet: 'На кошелёк',
    transaction: 'Транзакция',
    credited: 'Зачислено',
  },
}
