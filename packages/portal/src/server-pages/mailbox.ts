// Imports the styles of the mailbox and its components only. The built page has no script.
import '../sign-in-area/main.tsx'
import './mailbox.css'
