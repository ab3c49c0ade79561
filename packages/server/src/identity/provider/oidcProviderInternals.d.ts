declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks'

  /** The context of the requests in progress. The package does not export it otherwise. */
  const asyncContext: AsyncLocalStorage<unknown>
  // biome-ignore lint/style/noDefaultExport: the module has one.
  export default asyncContext
}
