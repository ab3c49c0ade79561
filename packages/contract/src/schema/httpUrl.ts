import { z } from 'zod'

/** A URL for requests by the server. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'should be an http or https URL of at most 2048 characters' })
  .max(2048)
