"""What lies in a queue of held mail: subjects and texts by sort."""

from __future__ import annotations

from typing import Final

Text = tuple[str, str]

# What people write about machines, orders and accounts.
ASKED: Final[tuple[Text, ...]] = (
    (
        "Which lens for 2 mm acrylic?",
        "Hello,\n\nwe cut 2 mm acrylic on the Kite 60 and the edge turns out milky. Would the"
        " shorter lens help, and does it fit our head?",
    ),
    (
        "Order KL-{order}: one mirror missing",
        "Hi,\n\nyesterday's parcel of order KL-{order} had two mirrors in it, we had ordered"
        " three. Could you send the third?",
    ),
    (
        "Water pump hums",
        "Good day,\n\nthe pump of our Merlin 45 has been humming since Monday, the flow looks"
        " right. Can we go on working with it?",
    ),
    (
        "Seat for a new colleague",
        "Hello,\n\na colleague starts on the first. How do I add a seat in Studio for her, and"
        " what does it cost for the rest of the month?",
    ),
    (
        "Exhaust hose diameter",
        "Hi there,\n\nthe landlord wants to know the diameter of the exhaust of the Osprey 80"
        " before he drills. Is it 150 mm?",
    ),
    (
        "Invoice needs our new address",
        "Hello,\n\nwe moved in April. Please put the new address on the invoice for order"
        " KL-{order}; our tax adviser insists.",
    ),
    (
        "Swift 40, belt worn",
        "Dear all,\n\nthe X belt of the Swift 40 has lost a few teeth. Which belt do I order and"
        " is there a guide for changing it?",
    ),
    (
        "Cannot sign in since the update",
        "Hi,\n\nStudio tells me that my account does not exist. I have used it for two years."
        " What happened?",
    ),
    (
        "Rotary on Merlin 30",
        "Hello,\n\ndoes the rotary of the Kite fit the Merlin 30 as well? We have one and are"
        " about to buy the other machine.",
    ),
    (
        "Delivery date for KL-{order}?",
        "Good morning,\n\nthe confirmation of KL-{order} says week 25. Is that still right? The"
        " room has to be cleared first.",
    ),
    (
        "Focus drifts over the bed",
        "Hi,\n\non the Osprey 130 the focus is right at the front and off by a millimetre at the"
        " back. Is that the bed or the rails?",
    ),
    (
        "Question about the warranty",
        "Hello,\n\nour Harrier F30 will be two years old in August. Can the warranty be extended,"
        " and until when do I have to decide?",
    ),
    (
        "Lid switch",
        "Hello,\n\nthe lid switch of the Merlin 30 only closes when I press on the corner. Is it"
        " the magnet?",
    ),
)
SHOUTED: Final[tuple[Text, ...]] = (
    (
        "URGENT!!! OSPREY DOWN, 40 ORDERS WAITING!!!",
        "PLEASE CALL ME!!! THE OSPREY 130 STANDS STILL SINCE 6 AM AND 40 ORDERS GO OUT TODAY. 100 %"
        " OF OUR TURNOVER RUNS ON IT. WHO CAN COME?",
    ),
    (
        "LAST CHANCE - NEED THE TUBE BY FRIDAY!!",
        "FREE a slot for us PLEASE!!! The tube of the Kite 60 is dead and the fair opens on"
        " Friday. Price does not matter, send it by express TODAY!!!",
    ),
    (
        "!!! 3 MACHINES, 3 ALARMS - ACT NOW !!!",
        "All three Merlin 45 show the cooling alarm at once, CLICK, dead. We lose $$$ by the hour."
        " Call me back NOW.",
    ),
)
PHISHED: Final[tuple[Text, ...]] = (
    (
        "Your Kestrel account will be closed",
        "Dear customer service,\n\nyour account is due for review. Confirm the password of this"
        " mailbox within 24 hours at https://{domain}/confirm or it will be closed.",
    ),
    (
        "Changed bank details for open invoices",
        "Hello,\n\nour bank details have changed. Please use the account in the attached note for"
        " all Kestrel Laser invoices from today on and confirm by return.",
    ),
    (
        "Mailbox full: sign in to release mail",
        "17 mails for support are waiting. Sign in with your password at https://{domain}/release"
        " to have them delivered.",
    ),
    (
        "Payroll update, action needed",
        "Hi team,\n\nplease send me the bank details of everybody in support for the new payroll"
        " run before noon. Sent from my phone, the management.",
    ),
    (
        "Order for Osprey 80, please confirm",
        "Good day,\n\nto confirm our order of an Osprey 80 open the order form and sign in with"
        " your mail password: https://{domain}/order",
    ),
    (
        "Security notice for helpdesk users",
        "A new device signed in to your helpdesk. If this was not you, enter your present password"
        " at https://{domain}/secure to block it.",
    ),
    (
        "Refund waiting for your confirmation",
        "A refund to Kestrel Laser Works is waiting. Reply with the bank details of the company so"
        " that it can be paid out.",
    ),
)
ADVERTISED: Final[tuple[Text, ...]] = (
    (
        "Page one in four weeks",
        "Dear owner,\n\nour team brings your website to page one. 300 links for a small monthly"
        " fee, first week free. Interested?",
    ),
    (
        "Verified lead lists for your market",
        "Hi,\n\n48,000 buyers in your industry, checked this month. Half price until Sunday.",
    ),
    (
        "Cheap office chairs, pallet deals",
        "Overstock must go: ergonomic chairs by the pallet, delivery included. Reply STOP to stop.",
    ),
)
PRINTED: Final[tuple[Text, ...]] = (
    ("Trade fair dispatch, June", "In this issue: the new hall plan, six speakers, early tickets."),
    ("Maker weekly no. {number}", "Ten projects, one interview, and our reader survey."),
    ("What's new in cloud accounting", "Three features that save you an hour. Read on our blog."),
    ("Plywood prices, week {week}", "Birch up two per cent, poplar stable. Full table online."),
    ("Webinar series: lean workshops", "Save your seat for four sessions in July."),
    ("Chamber of commerce: events", "Breakfast talk, tax evening, summer party. See the calendar."),
    ("Logistics letter, second quarter", "Fuel surcharges, holiday calendars, new depots."),
)
RETURNED: Final[tuple[Text, ...]] = (
    ("Undeliverable: Your invoice", "The mail box of the recipient is full. 552 5.2.2"),
    ("Delivery Status Notification (Failure)", "The following address failed: 550 no such user."),
    ("Mail delivery failed: returning message", "The domain of the recipient does not exist."),
    ("Undelivered Mail Returned to Sender", "Host not found, giving up after four days. 5.4.4"),
    ("Returned mail: see transcript", "User unknown. The transcript of the session follows."),
    ("Failure notice", "Sorry, I was not able to deliver your message. Remote host said: 554."),
    ("Delivery delayed, then failed", "No answer from the remote server for 48 hours. 4.4.1"),
)
AWAY: Final[tuple[Text, ...]] = (
    ("Automatic reply: Your request", "I am out until the 22nd and read no mail before."),
    ("Automatic reply: Re: Automatic reply", "I am out until the 22nd and read no mail before."),
)
REPLIED: Final = (
    "Hello,\n\nI have taken this over from {first}. We tried what you wrote and it is better, but"
    " not gone. Could you go on with me?",
    "Hi,\n\n{first} forwarded me your questions. Firmware is the latest, and the fault comes about"
    " twice a day.",
    "Hello,\n\nfor {first}, who is on holiday: the part has come and fits, one screw is missing.",
    "Hi,\n\nI work with {first}. The photo that you asked for would not upload, so in words: the"
    " left clip is broken off.",
    "Good day,\n\n{first} asked me to tell you that Thursday suits us for the call.",
    "Hello,\n\nas {first} is out today: yes, please go ahead as you proposed.",
    "Hi,\n\nthis is about {first}'s request. We have measured it: 230 V, steady. So it is not the"
    " mains.",
)
OUTSIDE: Final = (
    "Hello,\n\nI am the electrician who looks after the workshop of {firm}. {first} showed me your"
    " answer: the earth is fine, I have measured 0.3 ohm. What else should I look at?",
    "Good day,\n\nwe service the chiller at {firm}. About {first}'s request: the flow is 6 litres"
    " a minute, so the alarm does not come from our side.",
    "Hi,\n\n{firm} rents the hall from me and {first} passed on your question: yes, the exhaust may"
    " go through the north wall.",
)
PURCHASE: Final = (
    "Purchase order {number}",
    "Purchase order {number} of {firm}\n\n2 x focus lens 50.8 mm\n1 x mirror set Kite\n5 x filter"
    " mat\n\nDeliver to our main store. This message was made by our ordering system.",
)
CARRIED: Final = (
    "Shipment {number}: held at the depot",
    "Your shipment {number} from Kestrel Laser Works to {firm} is held at the depot: the address is"
    " incomplete. Answers to this address are not read.",
)
EMPTY: Final = ("Scan of the type plate", "")
CLAIMED: Final = (
    "Overdue: please pay today",
    "The attached invoice is overdue. Pay today to the new account to avoid a stop of delivery.",
)
LOOK_ALIKES: Final = (
    "kestrel-1aser.example",
    "kestrel-lasers.example",
    "kestrel-laser-support.example",
    "kestre1-laser.example",
    "kestrellaser.example",
    "kestral-laser.example",
    "kestrel-laserworks.example",
)
FIRST_NAMES: Final = (
    "Ines", "Tom", "Harriet", "Joris", "Magda", "Owen", "Lucia", "Femke", "Radek", "Nina",
    "Callum", "Britt", "Sanne", "Pavel", "Greta",
)  # fmt: skip
LAST_NAMES: Final = (
    "Albrecht", "Moreau", "Lindqvist", "Castell", "Hartley", "Vermeer", "Novotny", "Ferris",
    "Okafor", "Brandt", "Quigley", "Solberg", "Marchetti", "Dunne", "Keller",
)  # fmt: skip
FREE_MAIL: Final = ("postbox.example", "quickmail.example", "inboxly.example", "mailwise.example")
