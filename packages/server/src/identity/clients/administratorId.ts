/** The client id of the administrator client that the server generates for an empty store. It is reserved. */
export const ADMINISTRATOR_ID = 'burgee-admin'
