import { z } from 'zod'
import { DateTime } from './fields.ts'

/** The moment from which a key or client is refused. */
export const ExpiresAt = DateTime.meta({
  description: 'When it expires. From then on it is refused. Absent: never.',
  example: '2027-03-01T00:00:00.000Z'
})

/** The most networks or origins of one key or client. */
const MAX_ENTRIES = 50

/** The networks from which a key or client may be used. */
export const AllowedNetworks = z
  .array(z.string().min(1).max(50))
  .min(1)
  .max(MAX_ENTRIES)
  .meta({
    description:
      'The addresses and networks (CIDR) of requests that are accepted. Responses have their usual form: IPv4 addresses in place of IPv4-mapped IPv6 addresses. Absent: all.',
    example: ['192.0.2.0/24', '2001:db8::/32']
  })

/** The web origins from which a client key may be used. */
export const AllowedOrigins = z
  .array(z.string().min(1).max(300))
  .min(1)
  .max(MAX_ENTRIES)
  .meta({
    description:
      'The accepted values of the header `Origin`: scheme, host and port. The first label of the host may be `*`, for any one label. Requests without the header are accepted. Absent: all.',
    example: ['https://shop.example.com', 'https://*.preview.example.com']
  })
