/** The id of the client that the server makes up when a store has none; nobody else is given it. */
export const ADMINISTRATOR_ID = 'burgee-admin'
