import { z } from 'zod'
import { DateTime } from './fields.ts'

/** The time from which a key or client is refused. */
export const ExpiresAt = DateTime.meta({
  description: 'The expiry. The credential is refused from this time on. Absent: it does not expire.',
  example: '2027-03-01T00:00:00.000Z'
})

/** The maximum number of networks or origins per key or client. */
const MAX_ENTRIES = 50

/** The networks from which a key or client may be used. */
export const AllowedNetworks = z
  .array(z.string().min(1).max(50))
  .min(1)
  .max(MAX_ENTRIES)
  .meta({
    description:
      'The addresses and networks (CIDR) from which requests are accepted. Responses contain the canonical form, with IPv4 addresses instead of IPv4-mapped IPv6 addresses. Absent: all networks.',
    example: ['192.0.2.0/24', '2001:db8::/32']
  })

/** The web origins from which a client key may be used. */
export const AllowedOrigins = z
  .array(z.string().min(1).max(300))
  .min(1)
  .max(MAX_ENTRIES)
  .meta({
    description:
      'The accepted values of the header `Origin`: scheme, host and port. The first label of the host may be `*`, which matches exactly one label. Requests without the header are accepted. Absent: all origins.',
    example: ['https://shop.example.com', 'https://*.preview.example.com']
  })
