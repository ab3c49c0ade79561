/** Defines the globals of a browser that React asks for. */
export function prepareReact(): void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, window: globalThis, HTMLIFrameElement: class {} })
}

/** Returns a container for components that render nothing, for which React needs only one that takes listeners. */
export function container(): Element {
  const ownerDocument = { nodeType: 9, addEventListener() {}, activeElement: null, defaultView: globalThis }
  const node = { nodeType: 1, tagName: 'DIV', namespaceURI: 'http://www.w3.org/1999/xhtml', ownerDocument }
  return { ...node, addEventListener() {}, textContent: '' } as unknown as Element
}
