import { z } from 'zod'

/** An address that the server can call. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'should be an http or https URL of at most 2048 characters' })
  .max(2048)
