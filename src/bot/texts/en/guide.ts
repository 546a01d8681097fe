import { html, type Html, lines } from '../html.ts'

/** What a text about an application is made with. */
export interface Parts {
  /** `192.0.2.1:8000` */
  readonly address: string
  readonly ip: string
  readonly port: string
  readonly username: string
  readonly password: string
  /** `http://user:password@192.0.2.1:8000`, without what a shell or a text in quotation marks would read otherwise. */
  readonly url: string
  /** `192.0.2.1:8000:user:password` */
  readonly line: string
}

const credentials = ({ username, password }: Parts) =>
  html`Username: <code>${username}</code>\nPassword: <code>${password}</code>`

const steps = {
  browser: (proxy) => [
    html`🌐 <b>In a browser</b>\n`,
    html`<b>Chrome, Edge:</b> install an extension such as “FoxyProxy” or “SwitchyOmega”, add a proxy and enter:`,
    html`Type: HTTP\nServer: <code>${proxy.ip}</code>\nPort: <code>${proxy.port}</code>`,
    credentials(proxy),
    html`\n<b>Firefox:</b> Settings → Network Settings → Manual proxy configuration. Enter server and port as “HTTP Proxy”, tick “Also use this proxy for HTTPS”; Firefox asks for username and password at the first page.`,
  ],
  antidetect: (proxy) => [
    html`🎭 <b>In an antidetect browser</b>\n`,
    html`AdsPower, Dolphin{anty}, Multilogin, GoLogin, BitBrowser and others take the whole line. Create a profile, choose proxy type <b>HTTP</b> or <b>SOCKS5</b>, and paste:`,
    html`<code>${proxy.line}</code>`,
    html`\nPress “Check proxy” in the profile. Take one exclusive static proxy per profile and keep it, and set the profile's time zone and language by the IP address.`,
  ],
  curl: (proxy) => [
    html`⌨️ <b>With curl</b>\n`,
    html`HTTP:\n<pre>${curlCommand(proxy)}</pre>`,
    html`SOCKS5, with names looked up by the proxy:\n<pre>${curlCommand({ url: proxy.url.replace(/^http/, 'socks5h') })}</pre>`,
  ],
  python: (proxy) => [
    html`🐍 <b>With Python</b> (<code>pip install requests</code>)\n`,
    html`<pre>import requests

proxy = "${proxy.url}"
answer = requests.get(
    "https://api.ipify.org",
    proxies={"http": proxy, "https": proxy},
    timeout=20,
)
print(answer.text)</pre>`,
    html`For SOCKS5: <code>pip install requests[socks]</code>, and <code>socks5h://</code> in the place of <code>http://</code>.`,
  ],
  iphone: (proxy) => [
    html`📱 <b>On an iPhone or iPad</b>\n`,
    html`Settings → Wi-Fi → ⓘ beside your network → Configure Proxy → Manual:`,
    html`Server: <code>${proxy.ip}</code>\nPort: <code>${proxy.port}</code>\nAuthentication: on`,
    credentials(proxy),
    html`\nThis holds for that Wi-Fi network. For mobile data, use an app such as Shadowrocket: type HTTP or SOCKS5, with the same values.`,
  ],
  android: (proxy) => [
    html`🤖 <b>On Android</b>\n`,
    html`Android's own Wi-Fi proxy takes no password. Install an app such as “SagerNet”, “NekoBox” or “Super Proxy”, add a proxy of type <b>SOCKS5</b> or <b>HTTP</b>, and enter:`,
    html`Server: <code>${proxy.ip}</code>\nPort: <code>${proxy.port}</code>`,
    credentials(proxy),
    html`\nStart it; Android asks once whether the app may set up a VPN.`,
  ],
} satisfies Readonly<Record<string, (parts: Parts) => Html[]>>

function curlCommand({ url }: Pick<Parts, 'url'>): string {
  return `curl -x '${url}' https://api.ipify.org`
}

/** How proxies are used. */
export const guide = {
  title: html`📖 <b>How do I use it?</b>\n\nChoose where you want to use your proxy: I show each step with your own proxy filled in.`,
  button: '📖 How to use it',
  applications: {
    browser: '🌐 Browser',
    antidetect: '🎭 Antidetect',
    curl: '⌨️ curl',
    python: '🐍 Python',
    iphone: '📱 iPhone',
    android: '🤖 Android',
  },
  wordsButton: '❓ Static, dynamic, sticky…',
  words: lines(
    html`❓ <b>What the words mean</b>`,
    '',
    html`<b>Static</b>: one IP address that stays yours for the whole term, paid per proxy. For accounts, shops and anything that must look like the same person every day. You find it in “Buy proxies”.`,
    '',
    html`<b>Dynamic</b>: many addresses behind one gateway, paid by the GB. For scraping, price comparison and anything that needs many addresses. You find it in “Traffic”.`,
    '',
    html`<b>Exclusive</b>: nobody else uses the address while you have it. <b>Shared</b>: up to a few customers use it, each for another project, so it costs less. You choose it with the product.`,
    '',
    html`<b>Rotating</b>: a new address with every request. <b>Sticky</b>: the same address for a session of some minutes. You choose it when you press “Get proxies” in your traffic.`,
    '',
    html`<b>Residential (ISP)</b>: addresses of home internet providers; sites trust them most. <b>Datacenter</b>: addresses of servers; fast and cheap.`,
  ),
  steps,
  curlCommand,
  withOwn: html`<i>This is your own proxy: tap a value to copy it.</i>`,
  withExample: html`<i>This is an example: once you have a proxy, yours is shown here.</i>`,
  check: html`To check it, open <code>https://api.ipify.org</code> through the proxy: it shows the address that sites see.`,
}
