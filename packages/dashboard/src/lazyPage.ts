import { type ComponentType, createElement, lazy, type ReactNode } from 'react'

/** The router loads the code with `preload` before it shows the page. */
type Page = (() => ReactNode) & { readonly preload: () => Promise<void> }

/**
 * A page whose code loads when it is needed. Unlike the router's own function it never reloads the document, which would
 * lose what was typed, and a later attempt loads again.
 */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): Page {
  let Loaded: ComponentType | undefined
  let pending: Promise<void> | undefined
  const preload = () => {
    pending ??= load()
      .then((module) => {
        Loaded = module[name]
      })
      .catch((cause: unknown) => {
        throw new Error('The code of this page could not be loaded.', { cause })
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  const show = () => {
    if (!Loaded) throw preload()
    return createElement(Loaded)
  }
  return Object.assign(show, { preload })
}

const RETRY_MS = 5000

/**
 * A part of a page whose code loads when it is shown first. A failed import would replace the page and lose what was
 * typed, so it is retried until it succeeds. Meanwhile, the page says that the server is unreachable or has another
 * version.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loadWithRetries = async (): Promise<ComponentType<Props>> => {
    for (;;) {
      try {
        return await load()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  return lazy(async () => ({ default: await loadWithRetries() }))
}
