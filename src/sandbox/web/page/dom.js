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
 * The first element under the root that matches; the page's own templates guarantee that there is one.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {T}
 */
export function find(root, selector) {
  return /** @type {T} */ (root.querySelector(selector))
}
