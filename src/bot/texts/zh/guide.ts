import { html, lines } from '../html.ts'
import * as en from '../en/guide.ts'

const credentials = ({ username, password }: en.Parts) =>
  html`用户名：<code>${username}</code>\n密码：<code>${password}</code>`

const { curlCommand } = en.guide

export const guide: typeof en.guide = {
  title: html`📖 <b>使用教程</b>\n\n想在哪里使用代理 IP？选择后，我会用您自己的代理信息逐步说明。`,
  button: '📖 使用教程',
  applications: {
    browser: '🌐 浏览器',
    antidetect: '🎭 指纹浏览器',
    curl: '⌨️ curl',
    python: '🐍 Python',
    iphone: '📱 iPhone',
    android: '🤖 安卓',
  },
  wordsButton: '❓ 静态、动态、粘性…',
  words: lines(
    html`❓ <b>名词解释</b>`,
    '',
    html`<b>静态</b>：有效期内固定不变的 IP，按个计费。适合养号、店铺运营等需要固定身份的场景，入口在“购买代理 IP”。`,
    '',
    html`<b>动态</b>：通过同一网关使用大量 IP，按流量（GB）计费。适合数据采集、比价等需要大量 IP 的场景，入口在“动态流量”。`,
    '',
    html`<b>独享</b>：租用期间只有您一人使用。<b>共享</b>：少数几位客户共用同一 IP，各自用于不同业务场景，价格更低。选择产品时即可区分。`,
    '',
    html`<b>轮换</b>：每次请求更换 IP。<b>粘性</b>：一个会话在数分钟内保持同一 IP。在流量产品中点击“提取代理”时选择。`,
    '',
    html`<b>住宅（ISP）</b>：家庭宽带运营商的 IP，网站信任度最高。<b>数据中心</b>：机房 IP，速度快、价格低。`,
  ),
  steps: {
    browser: (proxy) => [
      html`🌐 <b>在浏览器中使用</b>\n`,
      html`<b>Chrome、Edge：</b>安装 FoxyProxy 或 SwitchyOmega 等扩展，新建代理并填写：`,
      html`类型：HTTP\n服务器：<code>${proxy.ip}</code>\n端口：<code>${proxy.port}</code>`,
      credentials(proxy),
      html`\n<b>Firefox：</b>设置 → 网络设置 → 手动配置代理，在“HTTP 代理”中填写服务器和端口，并勾选“也将此代理用于 HTTPS”；首次打开网页时会要求输入用户名和密码。`,
    ],
    antidetect: (proxy) => [
      html`🎭 <b>在指纹浏览器中使用</b>\n`,
      html`AdsPower、比特浏览器、紫鸟、Multilogin、Dolphin{anty} 等都支持整行粘贴。新建环境，代理类型选 <b>HTTP</b> 或 <b>SOCKS5</b>，然后粘贴：`,
      html`<code>${proxy.line}</code>`,
      html`\n点击“检查代理”即可验证。建议一个环境固定使用一个独享静态 IP，时区和语言选择“跟随 IP”。`,
    ],
    curl: (proxy) => [
      html`⌨️ <b>使用 curl</b>\n`,
      html`HTTP：\n<pre>${curlCommand(proxy)}</pre>`,
      html`SOCKS5（由代理解析域名）：\n<pre>${curlCommand({ url: proxy.url.replace(/^http/, 'socks5h') })}</pre>`,
    ],
    python: (proxy) => [
      html`🐍 <b>使用 Python</b>（<code>pip install requests</code>）\n`,
      html`<pre>import requests

proxy = "${proxy.url}"
answer = requests.get(
    "https://api.ipify.org",
    proxies={"http": proxy, "https": proxy},
    timeout=20,
)
print(answer.text)</pre>`,
      html`使用 SOCKS5 时：<code>pip install requests[socks]</code>，并将 <code>http://</code> 改为 <code>socks5h://</code>。`,
    ],
    iphone: (proxy) => [
      html`📱 <b>在 iPhone 或 iPad 上使用</b>\n`,
      html`设置 → 无线局域网 → 当前网络右侧的 ⓘ → 配置代理 → 手动：`,
      html`服务器：<code>${proxy.ip}</code>\n端口：<code>${proxy.port}</code>\n鉴定：打开`,
      credentials(proxy),
      html`\n此设置只对该 Wi-Fi 生效。使用蜂窝数据时，可用 Shadowrocket 等应用，类型选 HTTP 或 SOCKS5，其余相同。`,
    ],
    android: (proxy) => [
      html`🤖 <b>在安卓手机上使用</b>\n`,
      html`安卓自带的 Wi-Fi 代理不支持密码验证。请安装 NekoBox、Super Proxy 等应用，新建 <b>SOCKS5</b> 或 <b>HTTP</b> 代理并填写：`,
      html`服务器：<code>${proxy.ip}</code>\n端口：<code>${proxy.port}</code>`,
      credentials(proxy),
      html`\n启动后，系统会询问一次是否允许建立 VPN 连接，请选择允许。`,
    ],
  },
  curlCommand,
  withOwn: html`<i>以上是您自己的代理信息，点按即可复制。</i>`,
  withExample: html`<i>以上为示例；购买代理 IP 后，这里会显示您自己的信息。</i>`,
  check: html`验证方法：通过代理打开 <code>https://api.ipify.org</code>，显示的就是网站看到的 IP。`,
}
