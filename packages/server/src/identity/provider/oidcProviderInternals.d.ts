declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks'

  /** The context of the requests in progress. The package does not export it otherwise. */
  const asyncContext: AsyncLocalStorage<unknown>
  export default asyncContext
}
