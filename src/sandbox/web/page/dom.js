/**
 * Creates an element; attributes that are undefined or false are left out, strings become text nodes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | undefined>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value))
  node.append(...children)
  return node
}

/**
 * One of the icons at the end of index.html.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('aria-hidden', 'true')
  const use = svg.appendChild(document.createElementNS(svg.namespaceURI, 'use'))
  use.setAttribute('href', `#icon-${name}`)
  return svg
}

/**
 * Text under the root that acts as a button (it flows with other text, which a real button does not) is pressed with Enter
 * and Space like one.
 * @param {HTMLElement} root
 */
export function pressWithKeys(root) {
  root.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target)
    if (target.getAttribute('role') !== 'button' || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    target.click()
  })
}

/**
 * Shows words for a moment in the root's corner for them.
 * @param {ParentNode} root
 * @param {string} words
 */
export function toast(root, words) {
  const shown = element('div', { class: 'toast', 'data-toast': true }, words)
  find(root, '.toasts').append(shown)
  setTimeout(() => shown.remove(), 2500 + words.length * 40)
}

/**
 * The first element under the root that matches; the page's own templates guarantee that there is one.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {T}
 */
export function find(root, selector) {
  return /** @type {T} */ (root.querySelector(selector))
}

/**
 * A switch with its words.
 * @param {Record<string, string>} attributes of the switch
 * @param {boolean} isOn
 * @param {Node[]} words
 */
export function switchElement(attributes, isOn, words) {
  const input = element('input', { type: 'checkbox', role: 'switch', ...attributes })
  input.checked = isOn
  return element('label', {}, input, ...words)
}
