import { html, lines } from '../html.ts'
import * as en from '../en/guide.ts'

const credentials = ({ username, password }: en.Parts) =>
  html`Логин: <code>${username}</code>\nПароль: <code>${password}</code>`

const { curlCommand } = en.guide

export const guide: typeof en.guide = {
  title: html`📖 <b>Как пользоваться прокси</b>\n\nВыберите, где они нужны: покажу каждый шаг с вашими данными.`,
  button: '📖 Инструкция',
  applications: {
    browser: '🌐 Браузер',
    antidetect: '🎭 Антидетект',
    curl: '⌨️ curl',
    python: '🐍 Python',
    iphone: '📱 iPhone',
    android: '🤖 Android',
  },
  wordsButton: '❓ Статика, динамика, сессии',
  words: lines(
    html`❓ <b>Что значат эти слова</b>`,
    '',
    html`<b>Статические</b>: один IP, который остаётся вашим весь срок; оплата за штуку. Для аккаунтов, магазинов и всего, где нужен постоянный адрес. Раздел «Купить».`,
    '',
    html`<b>Динамические</b>: множество адресов за одним шлюзом; оплата за ГБ. Для парсинга, сравнения цен и всего, где адресов нужно много. Раздел «Трафик».`,
    '',
    html`<b>Индивидуальные</b>: пока IP ваш, им не пользуется никто другой. <b>Общие</b>: одним IP пользуются несколько клиентов, каждый для своего проекта, поэтому дешевле. Выбираются вместе с товаром.`,
    '',
    html`<b>С ротацией</b>: новый IP на каждый запрос. <b>Липкая сессия</b>: один и тот же IP несколько минут. Выбирается по кнопке «Получить прокси» в вашем трафике.`,
    '',
    html`<b>Резидентские (ISP)</b>: адреса домашних провайдеров, сайты доверяют им больше всего. <b>Серверные</b>: адреса дата-центров, быстро и дёшево.`,
  ),
  steps: {
    browser: (proxy) => [
      html`🌐 <b>В браузере</b>\n`,
      html`<b>Chrome, Edge:</b> установите расширение, например FoxyProxy или SwitchyOmega, добавьте прокси и введите:`,
      html`Тип: HTTP\nСервер: <code>${proxy.ip}</code>\nПорт: <code>${proxy.port}</code>`,
      credentials(proxy),
      html`\n<b>Firefox:</b> Настройки → Параметры сети → Ручная настройка прокси. Введите сервер и порт в поле «HTTP прокси», отметьте «Также использовать этот прокси для HTTPS»; логин и пароль Firefox спросит на первой странице.`,
    ],
    antidetect: (proxy) => [
      html`🎭 <b>В антидетект-браузере</b>\n`,
      html`Dolphin{anty}, AdsPower, Multilogin, GoLogin, Octo и другие принимают строку целиком. Создайте профиль, выберите тип прокси <b>HTTP</b> или <b>SOCKS5</b> и вставьте:`,
      html`<code>${proxy.line}</code>`,
      html`\nНажмите в профиле «Проверить прокси». Берите на каждый профиль свой индивидуальный статический прокси и не меняйте его, а часовой пояс и язык профиля ставьте по IP.`,
    ],
    curl: (proxy) => [
      html`⌨️ <b>В curl</b>\n`,
      html`HTTP:\n<pre>${curlCommand(proxy)}</pre>`,
      html`SOCKS5, имена сайтов разрешает прокси:\n<pre>${curlCommand({ url: proxy.url.replace(/^http/, 'socks5h') })}</pre>`,
    ],
    python: (proxy) => [
      html`🐍 <b>В Python</b> (<code>pip install requests</code>)\n`,
      html`<pre>import requests

proxy = "${proxy.url}"
answer = requests.get(
    "https://api.ipify.org",
    proxies={"http": proxy, "https": proxy},
    timeout=20,
)
print(answer.text)</pre>`,
      html`Для SOCKS5: <code>pip install requests[socks]</code> и <code>socks5h://</code> вместо <code>http://</code>.`,
    ],
    iphone: (proxy) => [
      html`📱 <b>На iPhone или iPad</b>\n`,
      html`Настройки → Wi-Fi → ⓘ рядом с вашей сетью → Настройка прокси → Вручную:`,
      html`Сервер: <code>${proxy.ip}</code>\nПорт: <code>${proxy.port}</code>\nАутентификация: вкл.`,
      credentials(proxy),
      html`\nЭто действует только в этой сети Wi-Fi. Для мобильного интернета нужно приложение, например Shadowrocket: тип HTTP или SOCKS5, остальное так же.`,
    ],
    android: (proxy) => [
      html`🤖 <b>На Android</b>\n`,
      html`Встроенный прокси для Wi-Fi в Android не умеет пароль. Установите приложение, например SagerNet, NekoBox или Super Proxy, добавьте прокси типа <b>SOCKS5</b> или <b>HTTP</b> и введите:`,
      html`Сервер: <code>${proxy.ip}</code>\nПорт: <code>${proxy.port}</code>`,
      credentials(proxy),
      html`\nЗапустите его; Android один раз спросит, можно ли приложению создать VPN.`,
    ],
  },
  curlCommand,
  withOwn: html`<i>Это данные вашего прокси: нажмите, чтобы скопировать.</i>`,
  withExample: html`<i>Это пример. Когда у вас появится прокси, здесь будут его данные.</i>`,
  check: html`Для проверки откройте через прокси <code>https://api.ipify.org</code>: там виден IP, который видят сайты.`,
}
