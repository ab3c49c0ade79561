/** A program that receives messages and verifies their signatures. */
export const receiver = `// npm install standardwebhooks
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
createServer(async (request, response) => {
  try {
    const { events, key } = webhook.verify(await text(request), request.headers)
    console.log(\`\${request.headers['webhook-id']}: \${events.join(', ')} of \${key}\`)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(3000)`
