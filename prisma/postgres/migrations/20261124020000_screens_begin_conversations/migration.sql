-- What a screen takes is the conversation that it begins, which is stored with the dialogues.
ALTER TABLE "chats" DROP COLUMN "takes";
